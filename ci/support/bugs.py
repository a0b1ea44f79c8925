"""The body of ci/bugs: plants one bug after the other in a scratch copy and says who finds it.

Without --witnesses, for each bug: the component's unit tests must still pass, its witness must die
by the oracle that the patch names, its fuzz target must find it within 60 seconds on one core, and
its property within 1,000 programs, from each seed. With --witnesses only the witness is run, of the
bugs that are due (planted.due). Results are kept in build/bugs/results.json until the patch or the
sources change, so an interrupted run goes on where it was.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import planted as planted_bugs
from console import Progress, red, table
from libfuzzer import Fuzzer

RESULTS = pathlib.Path("build/bugs/results.json")
LOGS = pathlib.Path("build/bugs/log")
FUZZ_SECONDS = 60
PROGRAMS = 1000
PROPERTY_SECONDS = 600  # a property that hangs in its shrinking is not the bug's fault
CLEAN_COMMAND = pathlib.Path("build/fuzz/fuzz/tuplestone")


def fuzz_once(scratch, bug, seed):
    """{found, seconds, count} of one campaign from the target's seed corpus."""
    log = LOGS / f"{bug.id}_fuzz_{seed}.log"
    corpus = pathlib.Path("corpus", bug.target, "seed")
    with tempfile.TemporaryDirectory() as scrap:
        inputs, crashes = pathlib.Path(scrap, "inputs"), pathlib.Path(scrap, "crashes")
        inputs.mkdir()
        crashes.mkdir()
        fuzzer = Fuzzer(scratch.build / f"fuzz/{bug.target}_fuzzer",
                        corpora=[inputs, *([corpus] if corpus.is_dir() else [])],
                        artifacts=crashes, log=log, seconds=FUZZ_SECONDS, seed=seed)
        while fuzzer.running():
            time.sleep(0.02)
        found = fuzzer.status != 0
        return {"found": found, "seconds": round(fuzzer.seconds, 2), "count": fuzzer.executions}


def run_property(scratch, bug, seed):
    """{found, seconds, count} of the property from one seed; count is the failing program's."""
    log = LOGS / f"{bug.id}_property_{seed}.log"
    environment = dict(os.environ, TUPLESTONE_SEED=str(seed), TUPLESTONE_PROGRAMS=str(PROGRAMS),
                       TUPLESTONE_FAILURES=str(LOGS.parent / "failures"))
    command = [scratch.build / f"properties/{bug.property_binary}",
               f"--gtest_filter={bug.property_filter}"]
    start = time.monotonic()
    with open(log, "wb") as out:
        try:
            status = subprocess.run(command, env=environment, stdout=out, stderr=out,
                                    timeout=PROPERTY_SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            status = 1
    text = log.read_text(errors="replace")
    programs = re.search(r"^after (\d+) programs", text, re.MULTILINE)
    return {"found": status != 0, "seconds": round(time.monotonic() - start, 2),
            "count": int(programs[1]) if programs else 0}


def summarise(runs):
    found = [r for r in runs if r["found"]]
    return {
        "found": len(found),
        "runs": len(runs),
        "seconds": statistics.median(r["seconds"] for r in found) if found else None,
        "count": int(statistics.median(r["count"] for r in found)) if found else None,
    }


def plant(scratch, bug, targets):
    """Restores the copy, plants the bug and builds. None, or what went wrong."""
    scratch.restore()
    if fault := scratch.apply(bug):
        return f"the patch does not apply: {fault}"
    if fault := scratch.compile(targets):
        return f"the patched tree does not build:\n{fault}"
    return None


def judge_witness(scratch, bug):
    """None, or why the witness does not prove the bug."""
    status, report = scratch.replay(bug.witness)
    if status == 0:
        return f"the witness {bug.witness} lives"
    if status != 1 or not bug.spoke(report):
        return f"the witness died (status {status}), but not by {bug.oracle}:\n{report[-2000:]}"
    return None


def judge(scratch, bug, seeds, jobs):
    """The whole trial of one bug: a result to keep, with `fault` if something is amiss."""
    unit_test = f"{bug.component}_test"
    fault = plant(scratch, bug, ["tuplestone", f"{bug.target}_fuzzer", bug.property_binary,
                                 unit_test])
    if fault:
        return {"fault": fault}
    unit = subprocess.run([scratch.build / f"engine/{unit_test}"], capture_output=True, text=True,
                          errors="replace", check=False)
    if unit.returncode:
        return {"fault": f"the unit tests find it, so it is no bug for the suite:\n"
                         f"{unit.stdout[-1500:]}"}
    if fault := judge_witness(scratch, bug):
        return {"fault": fault}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        fuzz = [pool.submit(fuzz_once, scratch, bug, s) for s in range(1, seeds + 1)]
        properties = [pool.submit(run_property, scratch, bug, s) for s in range(1, seeds + 1)]
        result = {"fuzz": summarise([f.result() for f in fuzz]),
                  "property": summarise([p.result() for p in properties])}
    missed = [who for who in ("fuzz", "property") if result[who]["found"] < seeds]
    if missed:
        result["fault"] = f"not found from every seed by: {', '.join(missed)} (logs: {LOGS}/)"
    return result


def row(bug, result):
    cells = [f"{bug.component}/{bug.id}", bug.origin, bug.oracle]
    for who in ("fuzz", "property"):
        s = result.get(who)
        if s is None:
            cells += ["-", "-", "-"]
        else:
            cells += [f"{s['found']}/{s['runs']}",
                      "-" if s["seconds"] is None else f"{s['seconds']:.1f}",
                      "-" if s["count"] is None else s["count"]]
    return cells + ["missed" if "fault" in result else "found"]


def load_results():
    try:
        return json.loads(RESULTS.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {}


def full(bugs, seeds, jobs):
    """Everybody's trial. Returns the number of bugs that something was amiss with."""
    results, scratch, progress = load_results(), planted_bugs.Scratch(jobs), Progress()
    rows, faults = [], []
    for number, bug in enumerate(bugs, start=1):
        key = planted_bugs.fingerprint(bug, seeds)
        result = results.get(str(bug.path), {})
        if result.get("key") != key:
            progress.show([f"  {number}/{len(bugs)} {bug.component}/{bug.id}: {bug.bug}"])
            result = judge(scratch, bug, seeds, jobs) | {"key": key}
            results[str(bug.path)] = result
            RESULTS.write_text(json.dumps(results, indent=1))
            progress.clear()
        rows.append(row(bug, result))
        if "fault" in result:
            faults.append((bug, result["fault"]))
    print(table(["bug", "origin", "oracle", "fuzz", "seconds", "executions", "property", "seconds",
                 "programs", "verdict"], rows))
    for bug, fault in faults:
        print(red(f"\n{bug.path}: {fault}"))
    print(f"\n{len(bugs) - len(faults)} of {len(bugs)} planted bugs found from {seeds} seeds each.")
    return len(faults)


def witnesses(bugs, jobs):
    """Every patch must apply; the witnesses that are due must hold without it and die with it."""
    scratch, faults = planted_bugs.Scratch(jobs), 0
    scratch.restore()
    for bug in bugs:
        if fault := scratch.apply(bug, only_check=True):
            faults += 1
            print(red(f"{bug.path}: does not apply: {fault}"))
    for bug in planted_bugs.due(bugs):
        start = time.monotonic()
        fault = plant(scratch, bug, ["tuplestone"]) or judge_witness(scratch, bug)
        if not fault and CLEAN_COMMAND.exists():
            clean = subprocess.run([CLEAN_COMMAND, "replay", bug.witness], capture_output=True,
                                   check=False)
            fault = "the witness dies without the bug, too" if clean.returncode else None
        faults += fault is not None
        verdict = red(f"{bug.path}: {fault}") if fault else f"{bug.path}: dies by {bug.oracle}"
        print(f"{verdict} ({time.monotonic() - start:.1f} s)", flush=True)
    print(f"{len(bugs)} patches, {len(planted_bugs.due(bugs))} witnesses due, {faults} faults")
    return faults


def main():
    parser = argparse.ArgumentParser(prog="ci/bugs")
    parser.add_argument("--witnesses", action="store_true")
    parser.add_argument("--seeds", type=int, required=True)
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("component", nargs="?")
    arguments = parser.parse_args()
    bugs = planted_bugs.load(arguments.component)
    if arguments.component and not bugs:
        known = sorted({p.component for p in planted_bugs.load()})
        print(f"ci/bugs: no bugs for {arguments.component}; there are some for: "
              f"{', '.join(known) or 'nothing yet'}", file=sys.stderr)
        return 2
    planted_bugs.SCRATCH.mkdir(parents=True, exist_ok=True)
    LOGS.mkdir(parents=True, exist_ok=True)
    if arguments.witnesses:
        return 1 if witnesses(bugs, arguments.jobs) else 0
    return 1 if full(bugs, arguments.seeds, arguments.jobs) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("Interrupted; what is finished is kept in build/bugs/results.json.")
        sys.exit(130)
