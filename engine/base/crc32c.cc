#include "engine/base/crc32c.h"

#include <array>
#include <cstddef>

namespace tuplestone {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // 0x1edc6f41 with its bits reversed

// kAfterByte[k][b]: the register after byte b and k zero bytes.
constexpr auto kAfterByte = [] {
  std::array<std::array<uint32_t, 256>, 8> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[0][byte] = crc;
  }
  for (size_t k = 1; k < table.size(); ++k) {
    for (uint32_t byte = 0; byte < 256; ++byte) {
      const uint32_t crc = table[k - 1][byte];
      table[k][byte] = (crc >> 8) ^ table[0][crc & 0xff];
    }
  }
  return table;
}();

uint32_t ByTable(uint32_t crc, const std::byte* p, size_t bytes) {
  for (; bytes >= 8; p += 8, bytes -= 8) {
    const uint64_t word = Load<uint64_t>(p) ^ crc;
    crc = 0;
    for (size_t k = 0; k < 8; ++k) crc ^= kAfterByte[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; bytes > 0; ++p, --bytes) {
    crc = (crc >> 8) ^ kAfterByte[0][(crc ^ static_cast<uint32_t>(*p)) & 0xff];
  }
  return crc;
}

#if defined(__x86_64__)

// Three streams at once hide the instruction's latency. Blocks of 8 kB are two runs of long ones
// and some bytes; short ones serve what is shorter.
constexpr size_t kLongStreamBytes = 1360;
constexpr size_t kShortStreamBytes = 128;

// The register after kStreamBytes zero bytes is linear in the register before: the exclusive-or of
// what each bit of it becomes, tabled by bytes.
template <size_t kStreamBytes>
constexpr auto kAfterStream = [] {
  std::array<uint32_t, 32> after_bit{};
  for (size_t bit = 0; bit < 32; ++bit) {
    uint32_t crc = uint32_t{1} << bit;
    for (size_t i = 0; i < kStreamBytes; ++i) crc = (crc >> 8) ^ kAfterByte[0][crc & 0xff];
    after_bit[bit] = crc;
  }
  std::array<std::array<uint32_t, 256>, 4> table{};
  for (size_t k = 0; k < 4; ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      for (size_t bit = 0; bit < 8; ++bit) {
        if ((byte >> bit & 1) != 0) table[k][byte] ^= after_bit[8 * k + bit];
      }
    }
  }
  return table;
}();

template <size_t kStreamBytes>
uint32_t SkipStream(uint64_t crc) {
  constexpr auto& kTable = kAfterStream<kStreamBytes>;
  return kTable[0][crc & 0xff] ^ kTable[1][(crc >> 8) & 0xff] ^ kTable[2][(crc >> 16) & 0xff] ^
         kTable[3][(crc >> 24) & 0xff];
}

// Takes whole runs of three streams off the front.
template <size_t kStreamBytes>
__attribute__((target("sse4.2"))) uint64_t ByStreams(uint64_t crc, const std::byte** p,
                                                     size_t* bytes) {
  for (; *bytes >= 3 * kStreamBytes; *p += 3 * kStreamBytes, *bytes -= 3 * kStreamBytes) {
    uint64_t second = 0;
    uint64_t third = 0;
    for (size_t i = 0; i < kStreamBytes; i += 8) {
      crc = __builtin_ia32_crc32di(crc, Load<uint64_t>(*p + i));
      second = __builtin_ia32_crc32di(second, Load<uint64_t>(*p + kStreamBytes + i));
      third = __builtin_ia32_crc32di(third, Load<uint64_t>(*p + 2 * kStreamBytes + i));
    }
    crc = SkipStream<kStreamBytes>(SkipStream<kStreamBytes>(crc) ^ second) ^ third;
  }
  return crc;
}

__attribute__((target("sse4.2"))) uint32_t ByInstruction(uint32_t start, const std::byte* p,
                                                         size_t bytes) {
  uint64_t crc = ByStreams<kLongStreamBytes>(start, &p, &bytes);
  crc = ByStreams<kShortStreamBytes>(crc, &p, &bytes);
  for (; bytes >= 8; p += 8, bytes -= 8) crc = __builtin_ia32_crc32di(crc, Load<uint64_t>(p));
  auto narrow = static_cast<uint32_t>(crc);
  for (; bytes > 0; ++p, --bytes) {
    narrow = __builtin_ia32_crc32qi(narrow, static_cast<unsigned char>(*p));
  }
  return narrow;
}

bool HasInstruction() {
  static const bool has = __builtin_cpu_supports("sse4.2") != 0;
  return has;
}

#else

uint32_t ByInstruction(uint32_t start, const std::byte* p, size_t bytes) {
  return ByTable(start, p, bytes);
}
bool HasInstruction() { return false; }

#endif

}  // namespace

uint32_t Crc32c(Bytes bytes, uint32_t before) {
  if (!HasInstruction()) return Crc32cByTable(bytes, before);
  return ~ByInstruction(~before, bytes.data(), bytes.size());
}

uint32_t Crc32cByTable(Bytes bytes, uint32_t before) {
  return ~ByTable(~before, bytes.data(), bytes.size());
}

}  // namespace tuplestone
