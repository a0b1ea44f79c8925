// The language of pages. A line pointer is a product: picks keep naming the same one while others
// come and go and its number changes. A pick that hits nothing (the page has no line pointer) names
// line pointer 1, which must then be refused.
#ifndef TUPLESTONE_PROPERTIES_PAGE_PAGE_OPS_H_
#define TUPLESTONE_PROPERTIES_PAGE_PAGE_OPS_H_

#include <array>

#include "properties/kit/program.h"
#include "properties/page/page_images.h"

namespace tuplestone::properties {

enum class PageStart { kHeap, kIndex, kNewPage };
inline constexpr std::array kPageStartNames = {"heap", "index", "new"};

enum class LineMark { kUnused, kDead, kDeadKeeping };
inline constexpr std::array kLineMarkNames = {"unused", "dead", "dead_keeping"};

enum class ListFault { kNone, kRepeated, kDescending, kZero, kPastEnd };
inline constexpr std::array kListFaultNames = {"none", "repeated", "descending", "zero",
                                               "past_end"};

enum class DamagedArea { kPage, kLines, kHeader, kEnd };
inline constexpr std::array kDamagedAreaNames = {"page", "lines", "header", "end"};

enum class AdoptedAs { kSame, kHeap, kIndex, kNew, kOpaque };
inline constexpr std::array kAdoptedAsNames = {"same", "heap", "index", "new", "opaque"};

// `lines` bounds the line pointers of both kinds; 0 means PostgreSQL's limits.
struct PageHead {
  static constexpr auto kText = kit::Text<0>("page_program", "start", "special", "lines");
  static constexpr kit::Shape kShape{.head_bytes = 16, .record_bytes = 24, .operations_max = 256};
  kit::Choice<PageStart, kPageStartNames> start;
  kit::Size<0, 64> special;
  kit::Size<0, 408> lines;
};

struct PageAdd {
  static constexpr auto kText = kit::Text<1>("add", "bytes", "fill");
  static constexpr int kWeight = 4;
  kit::Size<1, 8160> bytes;
  kit::Byte fill;
};
// Line pointer `line` modulo three more than there are: all of them, 0, the next and the one after.
struct PageAddAt {
  static constexpr auto kText = kit::Text<2>("add_at", "line", "bytes", "fill", "shift");
  kit::Size<0, 4095> line;
  kit::Size<1, 8160> bytes;
  kit::Byte fill;
  kit::Flag shift;  // ignored on heap pages
};
// Adds `count` tuples of `bytes`, `bytes` + `step`, ... until one is refused.
struct PageFill {
  static constexpr auto kText = kit::Text<3>("fill", "count", "bytes", "step", "fill");
  static constexpr int kWeight = 2;
  kit::Size<1, 420> count;
  kit::Size<1, 2000> bytes;
  kit::Size<0, 64> step;
  kit::Byte fill;
};
struct PageDelete {  // ignored on heap pages, as the next
  static constexpr auto kText = kit::Text<4>("delete", "line");
  kit::Pick<0> line;
};
// Line pointer n from `from` on goes if bit n modulo 64 of `mask` is set.
struct PageDeleteMany {
  static constexpr auto kText = kit::Text<5>("delete_many", "mask", "from", "fault");
  kit::Bits<64> mask;
  kit::Size<1, 408> from;
  kit::Choice<ListFault, kListFaultNames> fault;
};
struct PageMarkDead {
  static constexpr auto kText = kit::Text<6>("mark_dead", "line", "keep");
  kit::Pick<0> line;
  kit::Flag keep;
};
struct PageMarkUnused {
  static constexpr auto kText = kit::Text<7>("mark_unused", "line");
  static constexpr int kWeight = 2;
  kit::Pick<0> line;
};
// As delete_many, but marks; refusals are passed over.
struct PageMarkMany {
  static constexpr auto kText = kit::Text<8>("mark_many", "mask", "from", "mark");
  static constexpr int kWeight = 2;
  kit::Bits<64> mask;
  kit::Size<1, 408> from;
  kit::Choice<LineMark, kLineMarkNames> mark;
};
struct PageRedirect {  // ignored on index pages
  static constexpr auto kText = kit::Text<9>("redirect", "line", "target");
  kit::Pick<0> line;
  kit::Pick<0> target;
};
// Compacts: repairs a heap page, deletes an empty list from an index page.
struct PageRepair {
  static constexpr auto kText = kit::Text<10>("repair");
  static constexpr int kWeight = 2;
};
struct PageOverwrite {
  static constexpr auto kText = kit::Text<11>("overwrite", "line", "bytes", "fill");
  static constexpr int kWeight = 2;
  kit::Pick<0> line;
  kit::Size<1, 8160> bytes;
  kit::Byte fill;
};
struct PageFreeSpace {
  static constexpr auto kText = kit::Text<12>("free_space", "tuples", "bytes");
  kit::Size<0, 3000> tuples;
  kit::Size<1, 8160> bytes;
};
struct PageSeal {
  static constexpr auto kText = kit::Text<13>("seal", "block");
  kit::Bits<32> block;
};
// Replaces the page by a real one of the list in page_images.h; refused if it has more line
// pointers than the head's limit.
struct PageLoad {
  static constexpr auto kText = kit::Text<14>("load", "image");
  kit::Size<0, kPageImageCount - 1> image;
};
// Adopts a damaged copy, for this kind or another; the page itself goes on unharmed. The damage is
// one byte at `offset` modulo the area: exclusive-or with `value`, or set to it. Or the copy ends
// there.
struct PageAdoptDamaged {
  static constexpr auto kText =
      kit::Text<15>("adopt_damaged", "area", "offset", "set", "value", "as");
  static constexpr int kWeight = 2;
  kit::Choice<DamagedArea, kDamagedAreaNames> area;
  kit::Size<0, 8191> offset;
  kit::Flag set;
  kit::Byte value;
  kit::Choice<AdoptedAs, kAdoptedAsNames> as;
};

using PageProgram =
    kit::Program<PageHead, PageAdd, PageAddAt, PageFill, PageDelete, PageDeleteMany, PageMarkDead,
                 PageMarkUnused, PageMarkMany, PageRedirect, PageRepair, PageOverwrite,
                 PageFreeSpace, PageSeal, PageLoad, PageAdoptDamaged>;

}  // namespace tuplestone::properties

#endif  // TUPLESTONE_PROPERTIES_PAGE_PAGE_OPS_H_
