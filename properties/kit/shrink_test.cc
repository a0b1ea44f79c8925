// Simpler programs: nobody is re-aimed, everything gets smaller, shrinking ends.
#include "properties/kit/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "properties/kit/codec.h"
#include "properties/kit/generate.h"
#include "properties/kit/isolate.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/random.h"
#include "properties/kit/text.h"
#include "properties/toy/toy_suite.h"

namespace tuplestone::kit {
namespace {

using properties::ToyProgram;

ToyProgram Toy(const std::string& text) {
  const auto program = Parse<ToyProgram>(text);
  EXPECT_TRUE(program.ok()) << program.status();
  return *program;
}

// The trace of a run to its end.
RunTrace TraceOf(const ToyProgram& program) {
  IsolationLimits limits;
  limits.leaks = false;
  return Isolate([&] { Run<properties::ToySuite>(program); }, limits).trace;
}

TEST(Shrink, NormalFormNamesTheBirthsThatWereHit) {
  // Births 0, 1, 2; 0 is closed, so that a pick of it hits another. 7 is none: 7 mod 3 is the
  // second of three.
  const ToyProgram program = Toy(
      "canary death=none\nload box=@5\nopen\nopen\nopen\nload box=@7\nclose box=@0\nload box=@0\n"
      "load box=@2\nload box=@none\n");
  const ToyProgram normal = NormalForm(program, TraceOf(program));
  EXPECT_EQ(Print(normal),
            "canary death=none spare=0\nload box=@none fill=0x0\nopen size=1\nopen size=1\n"
            "open size=1\nload box=@1 fill=0x0\nclose box=@0\nload box=@1 fill=0x0\n"
            "load box=@2 fill=0x0\nload box=@none fill=0x0\n");
  EXPECT_TRUE(NormalForm(normal, TraceOf(normal)) == normal);
}

TEST(Shrink, NormalFormIsCutWhereItDied) {
  const ToyProgram program = Toy("canary\nwait\nopen\nload\nfire\nwait\nwait\n");
  EXPECT_EQ(Print(NormalForm(program, TraceOf(program))),
            "canary death=check spare=0\nwait\nopen size=1\nload box=@0 fill=0x0\nfire box=@0\n");
  RunTrace before;
  before.operation = kBeforeOperations;
  EXPECT_TRUE(NormalForm(program, before).operations.empty());
}

constexpr const char* kThreeBoxes =
    "canary death=none\nopen size=10\nopen size=20\nopen size=30\nload box=@0 fill=0x1\n"
    "load box=@1 fill=0x2\nload box=@2 fill=0x3\nclose box=@1\n";

TEST(Shrink, DroppingAnOperationDropsItsDependantsAndRenumbersTheOthers) {
  const ToyProgram normal = Toy(kThreeBoxes);
  const RunTrace trace = TraceOf(normal);
  EXPECT_EQ(Print(WithoutOperations(normal, trace, 1, 1, /*dependants=*/true)),
            "canary death=none spare=0\nopen size=10\nopen size=30\nload box=@0 fill=0x1\n"
            "load box=@1 fill=0x3\n");
  EXPECT_EQ(Print(WithoutOperations(normal, trace, 0, 2, /*dependants=*/true)),
            "canary death=none spare=0\nopen size=30\nload box=@0 fill=0x3\n");
  EXPECT_EQ(Print(WithoutOperations(normal, trace, 3, 1, /*dependants=*/true)),
            "canary death=none spare=0\nopen size=10\nopen size=20\nopen size=30\n"
            "load box=@1 fill=0x2\nload box=@2 fill=0x3\nclose box=@1\n");
  EXPECT_EQ(Print(WithoutOperations(normal, trace, 0, 7, /*dependants=*/true)),
            "canary death=none spare=0\n");
}

TEST(Shrink, DroppingAloneKeepsTheDependants) {
  const ToyProgram normal = Toy(kThreeBoxes);
  EXPECT_EQ(Print(WithoutOperations(normal, TraceOf(normal), 2, 1, /*dependants=*/false)),
            "canary death=none spare=0\nopen size=10\nopen size=20\nload box=@0 fill=0x1\n"
            "load box=@1 fill=0x2\nload box=@2 fill=0x3\nclose box=@1\n");
}

TEST(Shrink, DroppingNeverReaimsTheOthers) {
  // Each open has a size of its own: it tells which box a load means, before and after.
  const auto boxes_of_loads = [](const ToyProgram& program) {
    std::vector<uint64_t> sizes;
    std::vector<std::pair<uint64_t, uint64_t>> loads;  // fill, size of the box
    for (const auto& operation : program.operations) {
      if (const auto* open = std::get_if<properties::ToyOpen>(&operation)) {
        sizes.push_back(open->size);
      }
      const auto* load = std::get_if<properties::ToyLoad>(&operation);
      if (load != nullptr && load->box.hit())
        loads.push_back({load->fill, sizes[load->box.birth()]});
    }
    return loads;
  };
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    ToyProgram program = DrawProgram<ToyProgram>(random, 30);
    program.head.death = properties::ToyDeath::kNone;
    program.head.spare = 0;
    uint64_t size = 1;
    uint64_t fill = 0;
    for (auto& operation : program.operations) {
      if (auto* open = std::get_if<properties::ToyOpen>(&operation)) open->size = size++;
      if (auto* load = std::get_if<properties::ToyLoad>(&operation)) load->fill = fill++;
    }
    const RunTrace trace = TraceOf(program);
    const ToyProgram normal = NormalForm(program, trace);
    const auto before = boxes_of_loads(normal);
    for (size_t at = 0; at < normal.operations.size(); ++at) {
      const ToyProgram simpler = WithoutOperations(normal, trace, at, 1, /*dependants=*/true);
      for (const auto& load : boxes_of_loads(simpler)) {
        ASSERT_NE(std::find(before.begin(), before.end(), load), before.end())
            << Print(normal) << "without " << at << "\n"
            << Print(simpler);
      }
      ASSERT_TRUE(NormalForm(simpler, TraceOf(simpler)) == simpler) << "every pick is still alive";
      at += 4;  // a sample: each takes a fork
    }
  }
}

TEST(Shrink, EveryEditMakesAProgramSimpler) {
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    const WideProgram program = DrawProgram<WideProgram>(random, 12);
    const std::vector<Edit> edits = Edits(program);
    RunTrace trace;  // nobody was born: picks are as they are
    trace.births_before.assign(program.operations.size() + 1, std::vector<uint32_t>(4, 0));
    for (const Edit& edit : edits) {
      const WideProgram simpler = ApplyEdit(program, trace, edit);
      ASSERT_TRUE(IsSimpler(simpler, program)) << Print(program) << "\n" << Print(simpler);
      ASSERT_FALSE(IsSimpler(program, simpler));
    }
  }
}

TEST(Shrink, EditsReachEveryOperationAndEveryField) {
  const WideProgram program = *Parse<WideProgram>(
      "wide colour=blue limit=101\nnumbers one=7 small=4 medium=1 large=2 full=1\n"
      "bits eight=1 sixteen=1 thirty_two=1 sixty_four=1\nwords flag=yes colour=green\nmake\n"
      "use first=@1 second=@1 other=@1 last=@1\n");
  size_t removed_alone = 0;
  size_t head_edits = 0;
  std::vector<size_t> fields(program.operations.size());
  for (const Edit& edit : Edits(program)) {
    removed_alone += edit.kind == Edit::Kind::kRemoveAlone;
    head_edits += edit.kind == Edit::Kind::kHeadField;
    if (edit.kind == Edit::Kind::kField) ++fields[edit.at];
  }
  EXPECT_EQ(removed_alone, 5u);
  EXPECT_EQ(head_edits, 3u);  // blue to red and green, 101 to 100
  EXPECT_EQ(fields, (std::vector<size_t>{4, 4, 2, 0, 4}));
}

TEST(Shrink, TheOrderOfProgramsIsTotalAndEnds) {
  Random random(11);
  std::vector<WideProgram> programs;
  for (int i = 0; i < 25; ++i) programs.push_back(DrawProgram<WideProgram>(random, 4));
  for (const auto& a : programs) {
    EXPECT_FALSE(IsSimpler(a, a));
    for (const auto& b : programs) {
      EXPECT_EQ(IsSimpler(a, b) || IsSimpler(b, a), !(a == b));
      EXPECT_FALSE(IsSimpler(a, b) && IsSimpler(b, a));
    }
  }
  // Taking the last edit, the timidest, again and again ends at the empty default program.
  WideProgram program = DrawProgram<WideProgram>(random, 3);
  program.head.limit = 130;
  for (auto& operation : program.operations) operation = WideWords{.flag = true};
  RunTrace trace;
  trace.births_before.assign(8, std::vector<uint32_t>(4, 0));
  size_t steps = 0;
  for (std::vector<Edit> edits = Edits(program); !edits.empty(); edits = Edits(program)) {
    program = ApplyEdit(program, trace, edits.back());
    ASSERT_LT(++steps, 1000u);
  }
  EXPECT_EQ(Print(program), "wide colour=red limit=100\n");
}

}  // namespace
}  // namespace tuplestone::kit
