// Bytes from outside, taken for a tuple. The validation says yes exactly if the model can read a
// row of which they are the tuple; then every reader gives that row.
//
//   | columns | type, type.. | tuple .. | mode |
//
// `columns` modulo 12 plus 1 columns of types modulo 8. The last byte is the mode, if the input has
// more than the types; with bit 0 set the header is mended before the engine looks (length, pads,
// number of columns, masks, hoff, and padding behind a bitmap), so that what lies behind it is
// reached. U3, and through it U1, U4, U6.
#ifndef TUPLESTONE_PROPERTIES_TUPLE_TUPLE_IMAGE_SUITE_H_
#define TUPLESTONE_PROPERTIES_TUPLE_TUPLE_IMAGE_SUITE_H_

#include <string>

#include "engine/base/bytes.h"
#include "properties/tuple/tuple_model.h"

namespace tuplestone::properties {

struct TupleImageSuite {
  static constexpr const char* kName = "tuple_image";
  static void Run(Bytes input);
};

// An input of the tuple of `row`, or of other bytes taken for one.
std::string TupleImage(const ModelTypes& types, const std::string& tuple, bool mend);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_TUPLE_TUPLE_IMAGE_SUITE_H_
