#include "engine/base/crc32c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace tuplestone {
namespace {

Bytes AsBytes(const std::string& text) {
  return Bytes(reinterpret_cast<const std::byte*>(text.data()), text.size());
}

// One bit after the other, by the definition.
uint32_t ByDefinition(Bytes bytes) {
  uint32_t crc = 0xffffffff;
  for (std::byte b : bytes) {
    crc ^= static_cast<uint32_t>(b);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82f63b78 : crc >> 1;
  }
  return ~crc;
}

struct Vector {
  std::string bytes;
  uint32_t crc;
};

// The test vectors of RFC 3720, B.4, and the check value of the CRC catalogues.
std::vector<Vector> KnownVectors() {
  std::string up(32, '\0');
  for (size_t i = 0; i < up.size(); ++i) up[i] = static_cast<char>(i);
  return {{"", 0},
          {"123456789", 0xe3069283},
          {std::string(32, '\0'), 0x8a9136aa},
          {std::string(32, '\xff'), 0x62a8ab43},
          {up, 0x46dd794e},
          {std::string(up.rbegin(), up.rend()), 0x113fdb5c}};
}

TEST(Crc32c, GivesTheKnownAnswers) {
  for (const Vector& vector : KnownVectors()) {
    EXPECT_EQ(Crc32c(AsBytes(vector.bytes)), vector.crc);
    EXPECT_EQ(Crc32cByTable(AsBytes(vector.bytes)), vector.crc);
  }
}

TEST(Crc32c, InstructionAndTablesAgreeWithTheDefinitionAtEveryLengthAndAddress) {
  std::string text(9000, '\0');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * i + i / 7);
  for (size_t length : {0,   1,    7,    8,    9,    63,   383,  384,  385,  391, 767,
                        768, 1152, 4079, 4080, 4081, 4463, 4464, 4472, 8160, 8188}) {
    for (size_t from : {0, 1, 3, 8}) {
      const Bytes piece = AsBytes(text).subspan(from, length);
      const uint32_t expected = ByDefinition(piece);
      EXPECT_EQ(Crc32c(piece), expected) << length << " from " << from;
      EXPECT_EQ(Crc32cByTable(piece), expected) << length << " from " << from;
    }
  }
}

TEST(Crc32c, ContinuesWhereItStopped) {
  const std::string text(4000, 'q');
  for (size_t cut : {0, 1, 8, 600, 1536, 3999, 4000}) {
    const Bytes all = AsBytes(text);
    EXPECT_EQ(Crc32c(all.subspan(cut), Crc32c(all.first(cut))), Crc32c(all)) << cut;
  }
}

}  // namespace
}  // namespace tuplestone
