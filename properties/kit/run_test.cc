// The loop that runs programs: births, fuel, the stride of verification, what a death prints.
#include "properties/kit/run.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "properties/kit/expect.h"
#include "properties/kit/isolate.h"
#include "properties/kit/languages_for_test.h"
#include "properties/kit/text.h"
#include "properties/toy/toy_suite.h"

namespace tuplestone::kit {
namespace {

constexpr Invariant kT1{"T1", "the test says so"};

// What `body` does in a child, without a look for leaks.
Outcome InChild(const std::function<void()>& body) {
  IsolationLimits limits;
  limits.leaks = false;
  return Isolate(body, limits);
}

void ExpectDies(const std::function<void()>& body, const std::string& id,
                const std::string& output) {
  const Outcome outcome = InChild(body);
  EXPECT_EQ(outcome.death.kind, DeathKind::kCheck) << outcome.death.ToString();
  EXPECT_TRUE(absl::StartsWith(outcome.death.signature, id + " at ")) << outcome.death.signature;
  EXPECT_TRUE(absl::StrContains(outcome.output, output)) << outcome.output;
}

TEST(Population, ResolvesToTheLiving) {
  Population population;
  EXPECT_EQ(population.Resolve(0), Pick<0>::kNothing);
  EXPECT_EQ(population.Born(), 0u);
  EXPECT_EQ(population.Born(), 1u);
  EXPECT_EQ(population.Born(), 2u);
  EXPECT_EQ(population.Resolve(1), 1u);
  EXPECT_EQ(population.Resolve(3), 0u);            // 3 modulo 3 living
  EXPECT_EQ(population.Resolve(0xffff), 0xffffu);  // nothing stays nothing
  population.Died(1);
  EXPECT_EQ(population.Resolve(1), 2u);  // the second of two
  EXPECT_EQ(population.Resolve(2), 2u);
  EXPECT_EQ(population.Born(), 3u) << "numbers are not given twice";
  population.AllDied();
  EXPECT_EQ(population.Resolve(2), Pick<0>::kNothing);
  EXPECT_EQ(population.births(), 4u);
}

TEST(Population, DyingTwiceOrUnbornIsTheSuitesMistake) {  // F3
  ExpectDies(
      [] {
        BeginProgram(nullptr, nullptr);
        Population population;
        population.Born();
        population.Born();
        population.Died(0);
        population.Died(0);
      },
      "F3", "births and deaths");
  ExpectDies(
      [] {
        BeginProgram(nullptr, nullptr);
        Population().Died(0);
      },
      "F3", "births and deaths");
}

// Spends what its programs say.
class SpendingSuite {
 public:
  using Program = WideProgram;
  SpendingSuite(const WideHead&, Runner& run) : run_(run) {}
  void Step(const WideNumbers& numbers) {
    run_.SpendSteps(numbers.large);
    run_.SpendBytes(numbers.full);
  }
  void Step(const WideBits&) {}
  void Step(const WideWords&) {}
  void Step(const WideMake&) {
    run_.population(0).Born();
    run_.population(3).Born();
  }
  void Step(const WideUse& use) { uses.push_back(use); }
  void Compare() { ++compared; }
  void Verify() { verified_after.push_back(compared); }
  void Finish() { finished = true; }

  std::vector<WideUse> uses;
  int compared = 0;
  std::vector<int> verified_after;
  bool finished = false;

 private:
  Runner& run_;
};

WideProgram Wide(const std::string& text) {
  const auto program = Parse<WideProgram>(text);
  EXPECT_TRUE(program.ok()) << program.status();
  return *program;
}

TEST(Run, FuelOfStepsRunsOut) {  // F1
  // A step for the operation itself, so that four million less one are left.
  kit::Run<SpendingSuite>(Wide("wide\nnumbers large=3999999\n"));
  ExpectDies([] { kit::Run<SpendingSuite>(Wide("wide\nnumbers large=4000000\n")); }, "F1",
             "within its fuel of steps");
  ExpectDies([] { kit::Run<SpendingSuite>(Wide("wide\nnumbers large=3999999\nmake\n")); }, "F1",
             "");
}

TEST(Run, FuelOfBytesRunsOut) {  // F2
  kit::Run<SpendingSuite>(Wide("wide\nnumbers full=1073741824\n"));
  ExpectDies([] { kit::Run<SpendingSuite>(Wide("wide\nnumbers full=1073741825\n")); }, "F2",
             "within its fuel of bytes");
  ExpectDies([] { kit::Run<SpendingSuite>(Wide("wide\nnumbers full=18446744073709551615\n")); },
             "F2", "");
}

TEST(Run, PicksAreOfTheirPopulation) {
  kit::Run<SpendingSuite>(Wide("wide\nuse\nmake\nmake\nuse first=@1 second=@2 other=@0 last=@1\n"),
                          [](SpendingSuite& suite, uint32_t at) {
                            if (at != kAfterOperations) return;
                            ASSERT_EQ(suite.uses.size(), 2u);
                            EXPECT_FALSE(suite.uses[0].first.hit());
                            EXPECT_EQ(suite.uses[1].first.birth(), 1u);
                            EXPECT_EQ(suite.uses[1].second.birth(), 0u);
                            EXPECT_FALSE(suite.uses[1].other.hit())
                                << "nobody of that kind was born";
                            EXPECT_EQ(suite.uses[1].last.birth(), 1u);
                          });
}

TEST(Run, ComparesAfterEachOperationAndVerifiesAtAStride) {
  std::string text = "wide\n";
  for (int i = 0; i < 40; ++i) text += "make\n";
  bool seen = false;
  kit::Run<SpendingSuite>(Wide(text), [&](SpendingSuite& suite, uint32_t at) {
    if (at != kAfterOperations) return;
    seen = true;
    EXPECT_EQ(suite.compared, 40);
    EXPECT_FALSE(suite.finished);
    EXPECT_EQ(suite.verified_after, (std::vector<int>{1, 2, 4, 8, 16, 32, 36, 40, 40}));
  });
  EXPECT_TRUE(seen);
}

TEST(Run, VerificationIsLinearInTheWhole) {
  size_t walked = 0;
  for (size_t i = 0; i < 1024; ++i) walked += run_internal::VerifiesAfter(i) ? i + 1 : 0;
  EXPECT_LT(walked, 20u * 1024);
}

TEST(Run, TheJournalKnowsWhereTheProgramDied) {
  const auto program = Parse<properties::ToyProgram>(
      "canary death=abort\nwait\nopen\nopen\nload box=@9\nfire box=@1\nwait\n");
  ASSERT_TRUE(program.ok());
  const Outcome outcome = InChild([&] { kit::Run<properties::ToySuite>(*program); });
  EXPECT_EQ(outcome.death.kind, DeathKind::kAbort);
  ASSERT_EQ(outcome.trace.operation, 4u);
  ASSERT_EQ(outcome.trace.births_before.size(), 5u);
  EXPECT_EQ(outcome.trace.births_before[2][0], 1u);
  EXPECT_EQ(outcome.trace.births_before[3][0], 2u);
  EXPECT_EQ(outcome.trace.picks[3][0], 1u);  // 9 modulo 2 living
  EXPECT_EQ(outcome.trace.picks[4][0], 1u);
}

TEST(Run, LastWordsAreSaidOnceAndOnlyByWhoDies) {
  const auto program = Parse<properties::ToyProgram>("canary death=check\nopen\nload\nfire\n");
  ASSERT_TRUE(program.ok());
  const auto run = [&](const properties::ToyProgram& p) {
    return InChild([&] {
      kit::Run<properties::ToySuite>(p, [](properties::ToySuite&, uint32_t at) {
        if (at == 1) SetLastWords([] { std::fputs("<last words>", stderr); });
      });
      // The words were for the program that is over.
      BeginProgram(nullptr, nullptr);
      Expect(kT1, false, "after the program");
    });
  };
  const Outcome died = run(*program);
  EXPECT_TRUE(absl::StrContains(died.death.signature, "X1")) << died.death.ToString();
  const size_t first = died.output.find("<last words>");
  ASSERT_NE(first, std::string::npos) << died.output;
  EXPECT_EQ(died.output.find("<last words>", first + 1), std::string::npos);
  properties::ToyProgram harmless = *program;
  harmless.head.death = properties::ToyDeath::kNone;
  EXPECT_FALSE(absl::StrContains(run(harmless).output, "<last words>"));
}

TEST(Journal, AChildThatDetachesLeavesItsParentsAlone) {
  const Outcome outcome = InChild([] {
    ProcessJournal().case_index = 7;
    DetachJournal();
    ProcessJournal().case_index = 9;
  });
  EXPECT_FALSE(outcome.death.happened()) << outcome.death.ToString();
  EXPECT_EQ(outcome.trace.case_index, 7u);
}

TEST(Run, ATraceMarksTheOperation) {
  std::vector<std::string> operations;
  for (int i = 1; i <= 40; ++i) operations.push_back(absl::StrCat("op", i));
  const std::string middle = run_internal::TraceText("head", operations, 29);
  EXPECT_TRUE(absl::StrContains(middle, "  >>>   30  op30\n")) << middle;
  EXPECT_TRUE(absl::StrContains(middle, "        29  op29\n")) << middle;
  EXPECT_TRUE(absl::StrContains(middle, "...  9 earlier operations\n        10  op10\n")) << middle;
  EXPECT_TRUE(absl::StrContains(middle, "        32  op32\n      ...  8 later operations\n"));
  const std::string before = run_internal::TraceText("head", operations, kBeforeOperations);
  EXPECT_TRUE(absl::StrContains(before, "  >>> head  head\n")) << before;
  const std::string after = run_internal::TraceText("head", operations, kAfterOperations);
  EXPECT_TRUE(absl::StrContains(after, "  op40\n  >>>  end  the closing balance\n")) << after;
  const std::string empty = run_internal::TraceText("head", {}, kAfterOperations);
  EXPECT_TRUE(absl::StrContains(empty, "head  head\n  >>>  end")) << empty;
}

TEST(Expect, ShowsBothSides) {
  ExpectDies(
      [] {
        BeginProgram(nullptr, nullptr);
        ExpectEqual(kT1, std::vector<int>{1, 2}, std::vector<int>{1, 3}, "lines");
      },
      "T1", "lines");
  const Outcome outcome = InChild([] {
    BeginProgram(nullptr, nullptr);
    ExpectEqual(kT1, std::vector<int>{1, 2}, std::vector<int>{1, 3}, "lines");
  });
  EXPECT_TRUE(absl::StrContains(outcome.output, "  expected  [1, 2]\n  actual    [1, 3]"))
      << outcome.output;
  EXPECT_TRUE(absl::StrContains(outcome.output, "T1 broken: the test says so"));
  ExpectDies(
      [] {
        BeginProgram(nullptr, nullptr);
        ExpectOk(kT1, absl::DataLossError("torn"));
      },
      "T1", "DATA_LOSS: torn");
  ExpectDies(
      [] {
        BeginProgram(nullptr, nullptr);
        Expect(kT1, false, "it is so");
      },
      "T1", "check     it is so");
  Expect(kT1, true, "it is so");
  ExpectEqual(kT1, 3, 3);
  ExpectOk(kT1, absl::OkStatus());
}

TEST(Expect, ShowsEverySortOfValue) {
  EXPECT_EQ(Show(true), "true");
  EXPECT_EQ(Show(-3), "-3");
  EXPECT_EQ(Show(std::string("a b")), "'a b'");
  EXPECT_EQ(Show(Colour::kBlue), "2");
  EXPECT_EQ(Show(std::vector<std::string>{"a", ""}), "['a', '']");
  EXPECT_EQ(Show(std::map<int, bool>{{1, true}}), "[(1, true)]");
  EXPECT_EQ(Show(std::vector<std::byte>{std::byte{0xab}, std::byte{1}}), "2 bytes: ab 01");
  const std::string many = Show(std::vector<std::byte>(65));
  EXPECT_TRUE(absl::StartsWith(many, "65 bytes: 00")) << many;
  EXPECT_TRUE(absl::EndsWith(many, " 00 ...")) << many;
}

}  // namespace
}  // namespace tuplestone::kit
