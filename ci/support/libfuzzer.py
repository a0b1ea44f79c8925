"""Runs libFuzzer binaries and reads what they print.

A status line looks like
    #12345  NEW    cov: 131 ft: 402 corp: 55/9kb lim: 4096 exec/s: 6172 rss: 61Mb L: 40/512 ...
and with -print_final_stats=1 the last lines are `stat::number_of_executed_units: 12345` and so on.
"""

import os
import pathlib
import re
import subprocess
import threading
import time

STATUS = re.compile(r"^#(\d+)\s+(\w+)\s+(?:cov: (\d+))?.*?(?:exec/s: (\d+))?")
COVERED = re.compile(r"\bcov: (\d+)")
EXECUTED = re.compile(r"^stat::number_of_executed_units:\s+(\d+)")
SECONDS_PER_INPUT = 10  # libFuzzer's own default is 20 minutes: a hung input would look like work
MEGABYTES = 2048


class Fuzzer:
    """One running libFuzzer process. `executions` and `edges` are its latest figures."""

    def __init__(self, program, *, corpora, artifacts, log, seconds=None, seed=None, options=()):
        """corpora: folders, of which the first takes the new inputs. artifacts: a folder for inputs
        that killed the process. Requires: the folders exist."""
        self.log = pathlib.Path(log)
        self.artifacts = pathlib.Path(artifacts)
        self.executions = 0
        self.edges = 0
        self._before = set(os.listdir(artifacts))
        self._start = time.monotonic()
        self._end = None
        command = [str(program), f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}",
                   "-print_final_stats=1", f"-artifact_prefix={artifacts}/", "-reload=1", *options]
        if seconds is not None:
            command.append(f"-max_total_time={seconds}")
        if seed is not None:
            command.append(f"-seed={seed}")
        self.command = command + [str(c) for c in corpora]
        self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        with open(self.log, "wb") as log, self._process.stdout as lines:
            for raw in lines:
                log.write(raw)
                log.flush()
                self._note(raw.decode(errors="replace"))

    def _note(self, line):
        if status := STATUS.match(line):
            self.executions = int(status[1])
            if covered := COVERED.search(line):
                self.edges = int(covered[1])
        elif executed := EXECUTED.match(line):
            self.executions = int(executed[1])

    def running(self):
        if self._process.poll() is None:
            return True
        if self._end is None:
            self._reader.join()
            self._end = time.monotonic()
        return False

    @property
    def seconds(self):
        return (self._end or time.monotonic()) - self._start

    @property
    def status(self):
        """The exit status; None while it runs."""
        return self._process.poll()

    def stop(self):
        """Ends the process. What it has found is on disk already."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self.running()

    def crashes(self):
        """Paths of the inputs that this process saved when it died. Slow inputs are no crashes."""
        new = sorted(set(os.listdir(self.artifacts)) - self._before)
        return [self.artifacts / name for name in new if not name.startswith("slow-unit-")]
