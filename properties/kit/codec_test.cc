// The binary form: total, local, and the same for ever.
#include "properties/kit/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/generate.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"
#include "properties/kit/text.h"

namespace tuplestone::kit {
namespace {

using properties::ToyProgram;

std::vector<std::byte> FromHex(const std::string& hex) {
  const std::string raw = absl::HexStringToBytes(hex);
  const auto* first = reinterpret_cast<const std::byte*>(raw.data());
  return {first, first + raw.size()};
}

// How many operations two programs share at their beginning and, of what is left, at their end.
template <class P>
size_t SharedAtEnds(const P& a, const P& b) {
  const size_t most = std::min(a.operations.size(), b.operations.size());
  size_t first = 0;
  while (first < most && P::SameOperation(a.operations[first], b.operations[first])) ++first;
  size_t last = 0;
  while (first + last < most && P::SameOperation(a.operations[a.operations.size() - 1 - last],
                                                 b.operations[b.operations.size() - 1 - last])) {
    ++last;
  }
  return first + last;
}

struct Recorded {
  const char* hex;   // written by the older language
  const char* text;  // what it meant then
};

// Never to be changed: files like these lie in people's corpora.
constexpr Recorded kOlderCorpus[] = {
    {"0000000000000000", "canary death=check spare=0\n"},
    {"0764000000000000", "canary death=none spare=100\n"},
    {"010700000000000001f401000000000002000000000000000300000000000000",
     "canary death=abort spare=7\nopen size=500\nload box=@0\nfire box=@0\n"},
    {"025a00000000000001e803000000000001010000000000000201000000000000040000000000000003"
     "01000000000000",
     "canary death=address spare=90\nopen size=1000\nopen size=1\nload box=@1\nclose box=@0\n"
     "fire box=@1\n"},
    {"040000000000000002ffff000000000003fffe000000000004ffff0000000000",
     "canary death=leak spare=0\nload box=@none\nfire box=@65279\nclose box=@none\n"},
};

TEST(Codec, CorpusOfAnOlderLanguageKeepsItsMeaning) {
  for (const Recorded& recorded : kOlderCorpus) {
    SCOPED_TRACE(recorded.text);
    const std::vector<std::byte> bytes = FromHex(recorded.hex);
    const auto old = Parse<OldToyProgram>(recorded.text);
    ASSERT_TRUE(old.ok()) << old.status();
    EXPECT_EQ(Encode(*old), bytes);
    EXPECT_TRUE(Decode<OldToyProgram>(bytes) == *old);
    const auto now = Parse<ToyProgram>(recorded.text);  // the new field has its default
    ASSERT_TRUE(now.ok()) << now.status();
    EXPECT_TRUE(Decode<ToyProgram>(bytes) == *now);
  }
}

TEST(Codec, AnOlderLanguageSkipsWhatItDoesNotKnow) {
  const auto now = Parse<ToyProgram>("canary\nopen size=3\nwait\nload box=@0 fill=0x41\nwait\n");
  ASSERT_TRUE(now.ok());
  const auto old = Parse<OldToyProgram>("canary\nopen size=3\nload box=@0\n");
  ASSERT_TRUE(old.ok());
  EXPECT_TRUE(Decode<OldToyProgram>(Encode(*now)) == *old);
}

template <class P>
void ExpectOneByteIsOneOperation(uint64_t seed) {
  Random random(seed);
  const P program = DrawProgram<P>(random, 12);
  const std::vector<std::byte> bytes = Encode(program);
  for (size_t at = P::kShape.head_bytes; at < bytes.size(); ++at) {
    for (int value : {0, 1, 2, 3, 5, 30, 32, 200, 255}) {
      std::vector<std::byte> changed = bytes;
      changed[at] = static_cast<std::byte>(value);
      const P other = Decode<P>(changed);
      const size_t count = std::max(program.operations.size(), other.operations.size());
      ASSERT_GE(SharedAtEnds(program, other) + 1, count) << "byte " << at << " = " << value;
      ASSERT_TRUE(SameFields(program.head, other.head));
    }
  }
}

TEST(Codec, OverwritingAByteChangesAtMostOneOperation) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    ExpectOneByteIsOneOperation<ToyProgram>(seed);
    ExpectOneByteIsOneOperation<WideProgram>(seed);
  }
}

template <class P>
void ExpectOneRecordIsOneOperation(uint64_t seed) {
  Random random(seed);
  const P program = DrawProgram<P>(random, 12);
  const std::vector<std::byte> bytes = Encode(program);
  const size_t record = P::kShape.record_bytes;
  for (size_t i = 0; i <= program.operations.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(P::kShape.head_bytes + i * record);
    std::vector<std::byte> longer = bytes;
    longer.insert(longer.begin() + at, record, std::byte{1});
    const P inserted = Decode<P>(longer);
    ASSERT_EQ(inserted.operations.size(), program.operations.size() + 1);
    ASSERT_EQ(SharedAtEnds(program, inserted), program.operations.size());
    if (i == program.operations.size()) break;
    std::vector<std::byte> shorter = bytes;
    shorter.erase(shorter.begin() + at, shorter.begin() + at + static_cast<std::ptrdiff_t>(record));
    const P deleted = Decode<P>(shorter);
    ASSERT_EQ(deleted.operations.size() + 1, program.operations.size());
    ASSERT_EQ(SharedAtEnds(program, deleted), deleted.operations.size());
  }
}

TEST(Codec, InsertingOrDeletingARecordIsOneOperation) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    ExpectOneRecordIsOneOperation<ToyProgram>(seed);
    ExpectOneRecordIsOneOperation<WideProgram>(seed);
  }
}

template <class P>
void ExpectTotal() {
  Random random(1);
  const size_t most =
      P::kShape.head_bytes + (P::kShape.operations_max + 3) * P::kShape.record_bytes;
  for (size_t length = 0; length <= most; length += length < 200 ? 1 : 37) {
    std::vector<std::byte> bytes(length);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.Next());
    for (int fill : {-1, 0, 1, 255}) {
      if (fill >= 0) std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(fill));
      const P program = Decode<P>(bytes);
      const size_t rest = length - std::min(length, P::kShape.head_bytes);
      ASSERT_LE(program.operations.size(), P::kShape.operations_max);
      ASSERT_LE(program.operations.size(), rest / P::kShape.record_bytes);
      ASSERT_TRUE(Decode<P>(Encode(program)) == program);
      if (fill == 1) {  // every record an operation
        ASSERT_EQ(program.operations.size(),
                  std::min(rest / P::kShape.record_bytes, P::kShape.operations_max));
      }
    }
  }
}

TEST(Codec, AnyBytesOfAnyLengthAreALegalProgram) {
  ExpectTotal<ToyProgram>();
  ExpectTotal<WideProgram>();
}

TEST(Codec, AMissingHeadReadsAsZeros) {
  const ToyProgram program = Decode<ToyProgram>(Bytes());
  EXPECT_EQ(Print(program), "canary death=check spare=0\n");
  EXPECT_EQ(Print(Decode<ToyProgram>(FromHex("03"))), "canary death=undefined spare=0\n");
}

TEST(Codec, EveryCellIsItsTagModuloThirtyTwo) {
  for (int cell = 0; cell < 256; ++cell) {
    std::vector<std::byte> bytes(ToyProgram::kShape.head_bytes + ToyProgram::kShape.record_bytes);
    bytes[ToyProgram::kShape.head_bytes] = static_cast<std::byte>(cell);
    const ToyProgram program = Decode<ToyProgram>(bytes);
    const int tag = cell % 32;
    ASSERT_EQ(program.operations.size(), tag >= 1 && tag <= 5 ? 1u : 0u) << cell;
    if (program.operations.size() == 1) {
      ASSERT_EQ(program.operations[0].index() + 1, static_cast<size_t>(tag));
    }
  }
}

TEST(Codec, WhatIsIgnoredIsWrittenAsZero) {
  // Spare bytes of head and record, a spare record, a piece of a record at the end.
  const std::vector<std::byte> bytes =
      FromHex("0107ffffffffffff2104000102030405fa0102030405060701");
  EXPECT_EQ(absl::BytesToHexString(absl::string_view(
                reinterpret_cast<const char*>(Encode(Decode<ToyProgram>(bytes)).data()), 16)),
            "01070000000000000104000000000000");
  EXPECT_EQ(Encode(Decode<ToyProgram>(bytes)).size(), 16u);
}

TEST(Codec, TheBinaryFormIsNotTakenForText) {
  const std::string name = "wide ###";  // a head that spells the language's name
  std::vector<std::byte> bytes(16);
  std::transform(name.begin(), name.end(), bytes.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  const WideProgram program = Decode<WideProgram>(bytes);
  EXPECT_TRUE(ReadProgram<WideProgram>(Encode(program)) == program);
  EXPECT_TRUE(ReadProgram<WideProgram>(bytes) == program);
}

}  // namespace
}  // namespace tuplestone::kit
