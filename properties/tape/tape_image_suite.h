// Bytes from outside as what lies in a tape store. Tapes are written, the store's bytes are
// changed, the tapes are read.
//
//   | tapes | words | frozen | piece | length 0 | .. | length 3 | change, change, ... | mode |
//
// `tapes` modulo 4 plus 1 tapes of blocks of 4 + `words` modulo 16 words; bit t of `frozen` freezes
// tape t; length t times 4 modulo a block and a bit is what tape t is long; reading is in pieces of
// `piece` plus 1 bytes. The changes are exclusive-ored over the store from block 0 on; a shorter
// input changes nothing beyond. With bit 0 of `mode` set each changed block is sealed again for its
// place, so that what follows the checksum is reached.
//
// What must hold: an unchanged block reads as it was written; a changed one is reported, or, where
// it was sealed again, is read as changed if its trailer is right and reported if not. T1, T5.
#ifndef TUPLESTONE_PROPERTIES_TAPE_TAPE_IMAGE_SUITE_H_
#define TUPLESTONE_PROPERTIES_TAPE_TAPE_IMAGE_SUITE_H_

#include "engine/base/bytes.h"

namespace tuplestone::properties {

struct TapeImageSuite {
  static constexpr const char* kHeader = "properties/tape/tape_image_suite.h";
  static constexpr const char* kName = "tape_image";
  static void Run(Bytes input);
};

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TAPE_TAPE_IMAGE_SUITE_H_
