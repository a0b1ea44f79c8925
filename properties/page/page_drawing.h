// A page in text, for people who look for what went wrong: figures, line pointers, and a map in
// which a character stands for 64 bytes.
//
//   0 |HLL.............................................................|
//   4 |......................................................ccbbbbaaSS|
//
// H header, L line pointers, . hole, a b c ... the tuples of line pointers 1, 2, 3 ... (z is
// followed by a), * several of them, ~ bytes of nobody, S special area, ! a tuple over something
// else.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_DRAWING_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_DRAWING_H_

#include <string>

#include "engine/base/bytes.h"
#include "properties/page/page_model.h"

namespace tuplestone::properties {

// Of any bytes, sound or not. Nothing is trusted.
std::string DrawPage(Bytes page);

std::string DrawModel(const PageModel& model);

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_DRAWING_H_
