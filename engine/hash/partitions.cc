#include "engine/hash/partitions.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "engine/base/align.h"
#include "engine/base/bytes.h"
#include "engine/base/probe.h"
#include "engine/hash/invariants.h"

namespace tuplestone::hash {

void PartitionWriter::Begin(uint32_t level, uint32_t partitions) {
  level_ = level;
  parts_.assign(partitions, Partition());
  for (uint32_t i = 0; i < partitions; ++i) {
    parts_[i].level = level;
    parts_[i].index = i;
    parts_[i].partitions = partitions;
  }
  rows_ = 0;
}

absl::Status PartitionWriter::Write(uint32_t hash, tuple::Tuple tuple) {
  const auto partitions = static_cast<uint32_t>(parts_.size());
  Partition& part = parts_[PartitionOf(hash, level_, partitions, seed_)];
  if (part.tape == nullptr) {
    const absl::StatusOr<tape::Tape*> made = tapes_.Create();
    if (!made.ok()) return made.status();
    part.tape = *made;
    ++open_;
  }
  std::byte head[kSpilledHeadBytes];
  Store(head, static_cast<uint32_t>(tuple.bytes()));
  Store(head + sizeof(uint32_t), hash);
  absl::Status status = part.tape->Write(Bytes(head, sizeof(head)));
  if (status.ok()) status = part.tape->Write(tuple.span().subspan(kSpilledFrom));
  if (!status.ok()) return status;
  ++part.rows;
  ++rows_;
  return absl::OkStatus();
}

absl::Status PartitionWriter::End(uint32_t unsplit, std::vector<Partition>* done) {
  for (Partition& part : parts_) {
    if (part.tape == nullptr) continue;
    const absl::Status status = part.tape->Rewind();
    if (!status.ok()) return status;
    if (part.rows == rows_) {
      TUPLESTONE_PROBE("hash.aggregation.did_not_split");
      part.unsplit = unsplit + 1;
    }
    done->push_back(part);
    part.tape = nullptr;
    --open_;
  }
  parts_.clear();
  return absl::OkStatus();
}

void PartitionWriter::Abandon() {
  for (Partition& part : parts_) {
    if (part.tape != nullptr) tapes_.Close(part.tape);
  }
  parts_.clear();
  open_ = 0;
}

bool PartitionReader::Reserve(size_t bytes) {
  if (bytes <= capacity_) return true;
  Release();
  buffer_ = static_cast<std::byte*>(context_.Allocate(bytes));
  capacity_ = buffer_ == nullptr ? 0 : bytes;
  return buffer_ != nullptr;
}

void PartitionReader::Release() {
  if (buffer_ != nullptr) context_.Free(buffer_);
  buffer_ = nullptr;
  capacity_ = 0;
  has_header_ = false;
}

// The hash and the length of the next row; has_header_ stays false at the end.
absl::Status PartitionReader::ReadHeader() {
  std::byte head[kSpilledHeadBytes];
  const absl::StatusOr<size_t> count = tape_->Read(MutableBytes(head, sizeof(head)));
  if (!count.ok()) return count.status();
  if (*count == 0) return absl::OkStatus();
  next_bytes_ = Load<uint32_t>(head);
  next_hash_ = Load<uint32_t>(head + sizeof(uint32_t));
  if (*count < sizeof(head) || next_bytes_ < tuple::kBitmapAt ||
      next_bytes_ > tuple::kTupleBytesMax) {
    return absl::DataLossError(absl::StrCat("tape ", tape_->number(), ": a row of ", next_bytes_,
                                            " bytes before byte ", tape_->offset()));
  }
  has_header_ = true;
  return absl::OkStatus();
}

absl::StatusOr<size_t> PartitionReader::ReadBatch(absl::Span<SpilledRow> rows) {
  size_t used = 0;
  size_t n = 0;
  while (n < rows.size()) {
    if (!has_header_) {
      const absl::Status status = ReadHeader();
      if (!status.ok()) return status;
      if (!has_header_) break;
    }
    const size_t bytes = MaxAlign(next_bytes_);
    if (used + bytes > capacity_) {
      if (n > 0) {
        TUPLESTONE_PROBE("hash.aggregation.batch_cut_short");
        break;
      }
      const bool header = has_header_;
      if (!Reserve(std::max(buffer_bytes_, bytes))) {
        return absl::ResourceExhaustedError("no memory for spilled rows");
      }
      has_header_ = header;
    }
    std::byte* to = buffer_ + used;
    Store(to, uint64_t{next_bytes_});
    Store(to + sizeof(uint64_t), uint16_t{0});
    const size_t rest = next_bytes_ - kSpilledFrom;
    const absl::StatusOr<size_t> count = tape_->Read(MutableBytes(to + kSpilledFrom, rest));
    if (!count.ok()) return count.status();
    if (*count < rest) {
      return absl::DataLossError(
          absl::StrCat("tape ", tape_->number(), " ends within a row of ", next_bytes_, " bytes"));
    }
    rows[n++] = {next_hash_, tuple::Tuple(to)};
    used += bytes;
    has_header_ = false;
  }
  return n;
}

}  // namespace tuplestone::hash
