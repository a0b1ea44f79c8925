"""Tests of the scripts' own parts: `python3 -B ci/support/selftest.py`, ctest's selftest.ci.

Not covered: apt-get itself, and the terminal's progress lines.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import bugs
import console
import dictionary
import fuzz
import libfuzzer
import planted
from rules import ids

TOP = HERE.parents[1]

# Stands for a fuzz target: prints what libFuzzer prints, saves an input, ends with status 77.
FAKE_FUZZER = """#!/bin/sh
for a in "$@"; do case "$a" in -artifact_prefix=*) prefix=${a#*=};; esac; done
echo '#2      INITED cov: 10 ft: 11 corp: 1/1b exec/s: 0 rss: 30Mb'
echo '#4096   NEW    cov: 131 ft: 402 corp: 55/9kb lim: 4096 exec/s: 2048 rss: 61Mb L: 40/512'
echo 'stat::number_of_executed_units: 5000'
: > "${prefix}crash-da39"; : > "${prefix}slow-unit-da39"
exit 77
"""

PATCH = """Id:       b1
Bug:      Two is three.
Origin:   own
Witness:  ci/planted/page/b1.ops
Oracle:   P3
Target:   page_program
Property: page_property_test PageProperty.*
diff --git a/engine/page/p.h b/engine/page/p.h
--- a/engine/page/p.h
+++ b/engine/page/p.h
@@ -1 +1 @@
-int two = 2;
+int two = 3;
"""


def shell(script):
    return subprocess.run(["bash", "-uc", f"source ci/lib.sh\n{script}"], cwd=TOP, text=True,
                          capture_output=True, check=False)


class InFolder(unittest.TestCase):
    """Each test runs in an empty folder that is a git repository with one commit."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(temporary.name)

    def write(self, path, text, mode=0o644):
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path.resolve()

    def commit(self, message):
        git = ["git", "-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", "init", "-q"], check=True)
        subprocess.run(["git", "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", message], check=True)


class Console(unittest.TestCase):
    def test_a_table_lines_up_words_left_and_numbers_right(self):
        self.assertEqual(console.table(["name", "n"], [["a", 5], ["bcdef", 1234]]),
                         "name      n\n-----  ----\na         5\nbcdef  1234")


    def test_a_long_report_loses_its_middle_and_a_short_one_nothing(self):
        self.assertEqual(console.shorten("a\nb\nc\n", 1, 1), "a\nb\nc")
        self.assertEqual(console.shorten("a\nb\nc\nd\n", 1, 1), "a\n... 2 lines left out ...\nd")


class Fuzzer(InFolder):
    def test_reads_figures_status_and_saved_inputs(self):
        program = self.write("fake_fuzzer", FAKE_FUZZER, 0o755)
        artifacts = pathlib.Path("artifacts")
        artifacts.mkdir()
        self.write("artifacts/crash-old", "")
        fuzzer = libfuzzer.Fuzzer(program, corpora=[], artifacts=artifacts, log="log", seed=3)
        while fuzzer.running():
            time.sleep(0.01)
        self.assertEqual((fuzzer.executions, fuzzer.edges, fuzzer.status), (5000, 131, 77))
        self.assertEqual(fuzzer.crashes(), [artifacts / "crash-da39"])
        self.assertIn("-seed=3", fuzzer.command)

    def test_a_campaign_counts_new_inputs_and_names_the_crash(self):
        self.write("build/fuzz/fuzz/t_fuzzer", FAKE_FUZZER, 0o755)
        self.write("fuzz/t.dict", "")
        fuzz.LOGS.mkdir(parents=True)
        campaign = fuzz.Campaign("t", 1, 5)
        campaign.start()
        while campaign.running():
            time.sleep(0.01)
        self.write("build/fuzz-corpus/t/new", "")
        self.assertEqual(campaign.new_inputs, 1)
        self.assertEqual([str(p) for p, _ in campaign.crashes()],
                         ["build/fuzz-crashes/t/crash-da39"])
        self.assertIn("-dict=fuzz/t.dict", campaign.fuzzers[0].command)

    def test_a_death_without_a_saved_input_is_a_crash_too(self):
        self.write("build/fuzz/fuzz/t_fuzzer", "#!/bin/sh\nexit 1\n", 0o755)
        fuzz.LOGS.mkdir(parents=True)
        campaign = fuzz.Campaign("t", 1, 5)
        campaign.start()
        while campaign.running():
            time.sleep(0.01)
        self.assertEqual(campaign.crashes(), [(None, pathlib.Path("build/log/fuzz_t_0.log"))])


class Planted(InFolder):
    def plant(self):
        self.write("engine/page/p.h", "int two = 2;\n")
        self.write(".gitignore", "build/\n")
        self.write("ci/planted/page/b1.patch", PATCH)
        self.write("ci/planted/page/b1.ops", "# Why.\n")
        self.commit("first")
        planted.SCRATCH.mkdir(parents=True)

    def test_the_lines_before_the_diff_describe_the_bug(self):
        self.plant()
        bug, = planted.load("page")
        self.assertEqual((bug.id, bug.oracle, bug.property_binary, bug.property_filter),
                         ("b1", "P3", "page_property_test", "PageProperty.*"))
        self.assertEqual(planted.load("sort"), [])

    def test_only_the_named_oracle_counts(self):
        self.plant()
        bug, = planted.load()
        self.assertTrue(bug.spoke("\nP3 broken: x"))
        self.assertFalse(bug.spoke("\nP31 broken: x, unlike P3"))
        self.assertTrue(bug._replace(oracle="asan").spoke("==1==ERROR: AddressSanitizer: x"))

    def test_a_patch_changes_the_copy_alone_and_goes_away_again(self):
        self.plant()
        bug, = planted.load()
        scratch = planted.Scratch(1)
        scratch.restore()
        self.assertIsNone(scratch.apply(bug, only_check=True))
        self.assertIsNone(scratch.apply(bug))
        copy = planted.SCRATCH / "engine/page/p.h"
        self.assertEqual(copy.read_text(), "int two = 3;\n")
        self.assertEqual(pathlib.Path("engine/page/p.h").read_text(), "int two = 2;\n")
        self.assertIsNotNone(scratch.apply(bug))  # twice does not fit
        scratch.restore()
        self.assertEqual(copy.read_text(), "int two = 2;\n")

    def test_restoring_leaves_equal_files_alone_and_removes_strangers(self):
        self.plant()
        scratch = planted.Scratch(1)
        scratch.restore()
        copy = planted.SCRATCH / "engine/page/p.h"
        before = copy.stat().st_mtime_ns
        self.write(planted.SCRATCH / "engine/old.h", "")
        self.write(planted.SCRATCH / "build/kept", "")
        scratch.restore()
        self.assertEqual(copy.stat().st_mtime_ns, before)
        self.assertFalse((planted.SCRATCH / "engine/old.h").exists())
        self.assertTrue((planted.SCRATCH / "build/kept").exists())

    def test_due_are_changed_components_and_every_witness_within_ten_commits(self):
        self.plant()
        bug, = planted.load()
        others = [bug._replace(component="sort", path=pathlib.Path(f"s{i:02}")) for i in range(20)]
        self.write("engine/page/p.h", "int two = 2;  // changed\n")
        seen = set()
        for turn in range(10):
            self.write("README.md", str(turn))
            self.commit(f"turn {turn}")
            due = planted.due([bug, *others])
            if turn == 0:  # this commit changes p.h
                self.assertIn(bug, due)
            self.assertLessEqual(len(due), 4)
            seen |= {p.path for p in due}
        self.assertEqual(len(seen), 21)

    def test_a_result_is_kept_until_patch_or_source_change(self):
        self.plant()
        bug, = planted.load()
        first = planted.fingerprint(bug, 3)
        self.assertEqual(planted.fingerprint(bug, 3), first)
        self.assertNotEqual(planted.fingerprint(bug, 4), first)
        self.write("engine/page/p.h", "int two = 2;  // changed\n")
        self.assertNotEqual(planted.fingerprint(bug, 3), first)

    def test_missing_one_seed_is_missing_the_bug(self):
        runs = [{"found": True, "seconds": 1.0, "count": 10},
                {"found": True, "seconds": 3.0, "count": 30},
                {"found": False, "seconds": 60.0, "count": 999}]
        self.assertEqual(bugs.summarise(runs),
                         {"found": 2, "runs": 3, "seconds": 2.0, "count": 20})
        with mock.patch.multiple(bugs, plant=lambda *_: None, judge_witness=lambda *_: None,
                                 fuzz_once=lambda *_: runs[2], run_property=lambda *_: runs[0]):
            scratch = mock.Mock(build=pathlib.Path("build"))
            self.write("build/engine/page_test", "#!/bin/sh\n", 0o755)
            bug = planted.Planted("page", pathlib.Path("p"), "b", "", "", pathlib.Path("w"), "P3",
                                  "t", "p", "*")
            result = bugs.judge(scratch, bug, seeds=3, jobs=1)
        self.assertIn("fuzz", result["fault"])
        self.assertNotIn("property", result["fault"])


class Dictionary(unittest.TestCase):
    """What libFuzzer gets to put into inputs."""

    LANGUAGE = ["t head_bytes=8 record_bytes=8", "t tag 0 t, n: size 0..9",
                "t tag 11 add, as: choice heap index, twice: flag", "t tag 31 wait",
                "t2 tag 0 t2, m: bits 8"]

    def test_words_are_operations_fields_and_values(self):
        self.assertEqual(dictionary.dictionary("t", self.LANGUAGE).split(), [
            '"add"', '"as="', '"heap"', '"index"', '"n="', '"no"', '"t"', '"twice="', '"wait"',
            '"yes"'])

    def test_texts_take_the_words_of_every_language(self):
        words = dictionary.dictionary("ops_text", self.LANGUAGE).split()
        self.assertEqual(len(words), 12)
        self.assertIn('"m="', words)

    def test_an_unknown_target_is_an_error(self):
        with self.assertRaises(SystemExit):
            dictionary.dictionary("t3", self.LANGUAGE)

    def test_every_target_has_one_that_libfuzzer_reads(self):
        targets = [f.name.removesuffix("_fuzzer.cc") for f in TOP.glob("fuzz/*_fuzzer.cc")]
        self.assertIn("relation_file", targets)
        languages = (TOP / "ci/languages.txt").read_text().splitlines()
        for target in targets:
            for line in dictionary.dictionary(target, languages).splitlines():
                self.assertRegex(line, r'^(#.*|(\w+=)?"(\\x[0-9a-f]{2}|[^"\\])+")$', target)


class Languages(unittest.TestCase):
    ADD = "page tag 1 add, bytes: size 1..200, kind: choice heap"

    def test_growth_keeps_old_files_readable(self):
        for grown in (self.ADD, self.ADD + ", x: flag", self.ADD + " index",
                      self.ADD.replace("200", "255"), self.ADD + " index, x: bits 8"):
            self.assertEqual(ids.unkept([self.ADD], [grown]), [], grown)

    def test_what_changes_the_meaning_of_old_files_is_named(self):
        for changed in (self.ADD.replace("200", "256"), self.ADD.replace("1..", "0.."),
                        self.ADD.replace("heap", "index"), self.ADD.replace("bytes", "size"),
                        self.ADD.replace(", bytes: size 1..200", ""), "page tag 1 add"):
            self.assertEqual(ids.unkept([self.ADD], [changed]), [self.ADD], changed)


class Steps(unittest.TestCase):
    def test_the_last_line_counts_and_the_status_tells(self):
        run = shell("step good true; step bad false; summary")
        self.assertEqual(run.stdout.splitlines()[-1], "1 passed, 1 failed")
        self.assertEqual(run.returncode, 1)
        self.assertIn("run  false", run.stdout)
        self.assertEqual(shell("step good true; summary").returncode, 0)

    def test_nothing_run_is_no_success(self):
        self.assertEqual(shell("summary").returncode, 1)

    def test_a_failing_function_is_run_again_by_its_step(self):
        run = shell("f() { return 1; }; step 'my step' f; summary")
        self.assertIn(r"my\ step", run.stdout)

    def test_only_named_steps_run(self):
        run = shell("only=(b); step a false; step b true; summary")
        self.assertEqual(run.stdout.splitlines()[-1], "1 passed, 0 failed")

    def test_ctest_lines_are_counted_one_by_one(self):
        lines = (" 1/12 Test  #1: unit.base ....   Passed    0.35 sec\n"
                 "10/12 Test #10: unit.page ....***Failed    1.20 sec\n"
                 "11/12 Test #11: unit.sort ....***Timeout   9.00 sec\n"
                 "12/12 Test #12: unit.tape ....***Exception: SegFault  0.10 sec\n"
                 "50% tests passed\n")
        run = shell(f"ctest_verdicts <(printf '%s' '{lines}')")
        self.assertEqual(run.stdout, "ok unit.base 0.35\nbad unit.page 1.20\n"
                         "bad unit.sort 9.00\nbad unit.tape 0.10\n")

    def test_without_the_right_to_install_one_line_is_printed_and_nothing_done(self):
        run = shell("packages=(no-such-package); id() { echo 1000; }; sudo() { return 1; }\n"
                    "install_missing; echo went on")
        self.assertEqual(run.returncode, 3)
        self.assertIn("apt-get install -y --no-install-recommends no-such-package", run.stdout)
        self.assertNotIn("went on", run.stdout)


class Usage(unittest.TestCase):
    def test_wrong_usage_is_told_and_is_status_2(self):
        for command in (["ci/test", "--nope"], ["ci/fuzz", "--seconds", "x"], ["ci/fuzz", "--nope"],
                        ["ci/fuzz", "--seconds"], ["ci/bugs", "--seeds", "0"], ["ci/tidy", "nope"]):
            run = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2, command)
            self.assertIn("usage:", run.stderr, command)

    def test_help_is_status_0(self):
        for command in ("ci/test", "ci/fuzz", "ci/bugs", "ci/tidy"):
            run = subprocess.run([command, "--help"], cwd=TOP, capture_output=True, text=True,
                                 check=False)
            self.assertEqual((run.returncode, run.stdout[:6]), (0, "usage:"), command)


if __name__ == "__main__":
    unittest.main()
