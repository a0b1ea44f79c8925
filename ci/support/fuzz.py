"""The body of ci/fuzz: replays the corpora, fuzzes every target for a while, says what came of it.

New inputs go to build/fuzz-corpus/<target>/ and stay there, so that the next run goes on where this
one ended; inputs that kill go to build/fuzz-crashes/<target>/. Nothing is written to corpus/.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import time

from console import Progress, red, shorten, table
from libfuzzer import Fuzzer

BUILD = pathlib.Path("build/fuzz/fuzz")
COMMAND = BUILD / "tuplestone"
FOUND = pathlib.Path("build/fuzz-corpus")
CRASHES = pathlib.Path("build/fuzz-crashes")
LOGS = pathlib.Path("build/log")
CANARY = "canary"  # fails on purpose; fuzzed only when asked for by name


def all_targets():
    """{name: kind} of the targets, as the built command lists them; kinds are program and bytes."""
    run = subprocess.run([COMMAND, "targets"], capture_output=True, text=True, check=True)
    return dict(line.split() for line in run.stdout.splitlines())


def chosen_targets(names):
    known = all_targets()
    unknown = [n for n in names if n not in known]
    if unknown:
        print(f"ci/fuzz: no such target: {', '.join(unknown)}. There are: {', '.join(known)}",
              file=sys.stderr)
        sys.exit(2)
    return names or [t for t in known if t != CANARY]


def corpora(target):
    """The kept inputs of a target: the folders that exist."""
    folders = [pathlib.Path("corpus", target, part) for part in ("seed", "regress")]
    return [f for f in folders if f.is_dir()]


def replay(target):
    """Runs the kept inputs, each in a child. True if all held."""
    folders = corpora(target)
    if not folders:
        return True
    run = subprocess.run([COMMAND, "replay", *folders], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(red(f"{target}: an input of the corpus dies. To see it again:"))
        print(f"  {COMMAND} replay {' '.join(map(str, folders))}")
        print(shorten(run.stdout + run.stderr))
    return run.returncode == 0


class Campaign:
    """All processes that fuzz one target."""

    def __init__(self, target, workers, seconds):
        self.target = target
        self.corpus = FOUND / target
        self.crash_folder = CRASHES / target
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.crash_folder.mkdir(parents=True, exist_ok=True)
        self._inputs_before = len(list(self.corpus.iterdir()))
        self._workers = workers
        self._seconds = seconds
        self.fuzzers = []
        self.probes = "-"

    def start(self):
        options = []
        for option, suffix in (("-dict=", ".dict"),):
            path = pathlib.Path("fuzz", self.target + suffix)
            if path.exists():
                options.append(f"{option}{path}")
        for worker in range(self._workers):
            self.fuzzers.append(Fuzzer(
                BUILD / f"{self.target}_fuzzer", corpora=[self.corpus, *corpora(self.target)],
                artifacts=self.crash_folder, log=LOGS / f"fuzz_{self.target}_{worker}.log",
                seconds=self._seconds, options=options))

    def running(self):
        return any([f.running() for f in self.fuzzers])

    def stop(self):
        for fuzzer in self.fuzzers:
            fuzzer.stop()

    @property
    def executions(self):
        return sum(f.executions for f in self.fuzzers)

    @property
    def edges(self):
        return max((f.edges for f in self.fuzzers), default=0)

    @property
    def rate(self):
        return sum(int(f.executions / max(f.seconds, 0.1)) for f in self.fuzzers)

    @property
    def new_inputs(self):
        return len(list(self.corpus.iterdir())) - self._inputs_before

    def crashes(self):
        """(saved input or None, log) of each process that died; None: the log is all there is."""
        died = []
        for fuzzer in self.fuzzers:
            saved = fuzzer.crashes()
            died += [(path, fuzzer.log) for path in saved]
            # SIGTERM is our own stop(), 72 libFuzzer's answer to ^C.
            if not saved and fuzzer.status not in (None, 0, 72, -15, -2):
                died.append((None, fuzzer.log))
        return sorted(set(died), key=str)

    def line(self):
        left = max(0, self._seconds - max((f.seconds for f in self.fuzzers), default=0))
        return (f"  {self.target:<20} {self.executions:>10} executions {self.rate:>8}/s "
                f"{self.edges:>6} edges {self.new_inputs:>5} new inputs {left:>5.0f} s left")


def run_all(campaigns, at_once):
    """Keeps `at_once` campaigns running until all are done. False if interrupted."""
    waiting, running, progress = list(campaigns), [], Progress()
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                running.append(waiting.pop(0))
                running[-1].start()
            time.sleep(0.2)
            progress.show([c.line() for c in running] +
                          ([f"  {len(waiting)} more targets to come"] if waiting else []))
            running = [c for c in running if c.running()]
        return True
    except KeyboardInterrupt:
        return False
    finally:
        for campaign in running:
            campaign.stop()
        progress.clear()


def count_probes(campaigns):
    """Asks the command which rare states each target's inputs reach. Returns those of no target."""
    everything, reached = set(), set()
    for campaign in campaigns:
        run = subprocess.run(
            [COMMAND, "replay", "--together", "--probes", "--target", campaign.target,
             campaign.corpus, *corpora(campaign.target)],
            capture_output=True, text=True, errors="replace", check=False)
        hits = {n: int(h) for n, h in re.findall(r"^probe (\S+) (\d+)", run.stdout, re.MULTILINE)}
        mine = {name for name, hit in hits.items() if hit}
        campaign.probes = len(mine)
        everything |= set(hits)
        reached |= mine
    return sorted(everything - reached)


def report_crash(target, kind, path, log):
    """The trace in words, and the lines to paste."""
    if path is None:
        text = log.read_text(errors="replace")
        print(red(f"\nA fuzzer ended without saving an input. The end of {log}:"))
        print(shorten(text, first=0))
        return
    print(red(f"\n{path}"))
    replay_line = [COMMAND, "replay", "--target", target, path]
    run = subprocess.run(replay_line, capture_output=True, text=True, errors="replace",
                         check=False)
    trace = run.stdout + run.stderr
    if run.returncode == 0:
        print(f"The input holds when it is replayed alone; what the fuzzer saw is in {log}:")
        trace = log.read_text(errors="replace")
    print(shorten(trace))
    print("\nTo see it again, to make it small, to keep it as a test:")
    small = f"{path}.min{'.ops' if kind == 'program' else '.hex'}"
    print(f"  {COMMAND} replay {path}")
    print(f"  {COMMAND} shrink {path}")
    print(f'  {COMMAND} keep {small} --why "what went wrong, in one sentence"')


def main():
    parser = argparse.ArgumentParser(prog="ci/fuzz")
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("targets", nargs="*")
    arguments = parser.parse_args()
    targets = chosen_targets(arguments.targets)
    LOGS.mkdir(parents=True, exist_ok=True)

    held = [replay(target) for target in targets]
    print(f"Corpus replayed: {sum(held)} of {len(targets)} targets hold.")

    workers = max(1, arguments.jobs // len(targets))
    campaigns = [Campaign(target, workers, arguments.seconds) for target in targets]
    print(f"Fuzzing {len(targets)} targets, {arguments.seconds} s each, {arguments.jobs} processes "
          f"at once. ^C ends it; everything found stays in {FOUND}/ and {CRASHES}/.")
    complete = run_all(campaigns, max(1, arguments.jobs // workers))
    never = count_probes(campaigns) if complete else []

    print(table(
        ["target", "executions", "executions/s", "edges", "new inputs", "probes reached",
         "crashes"],
        [[c.target, c.executions, c.rate, c.edges, c.new_inputs, c.probes, len(c.crashes())]
         for c in campaigns if c.fuzzers]))
    if never and not arguments.targets:
        print(f"Rare states never reached: {', '.join(never)}")
    kinds = all_targets()
    crashes = [(c.target, kinds[c.target], *crash) for c in campaigns for crash in c.crashes()]
    for crash in crashes:
        report_crash(*crash)
    if not complete:
        print("Interrupted.")
        return 130
    return 1 if crashes or not all(held) else 0


if __name__ == "__main__":
    sys.exit(main())
