"""The programs that save: CrashTest, which prints each acknowledged save."""

import os
import subprocess
import tempfile
import threading
import time


class Wrong(Exception):
    pass


class Programs:
    def __init__(self, path, prefix=()):
        self.path, self.prefix = path, list(prefix)

    def run(self, *words):
        done = subprocess.run([*self.prefix, self.path, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Wrong(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def start(self, *words):
        return Running([*self.prefix, self.path, *map(str, words)])


class Running:
    """A program whose output lines are read while it runs."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines, self.changed = [], threading.Condition()
        self.isOver = False
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        self.process.wait()
        with self.changed:
            self.isOver = True
            self.changed.notify_all()

    def wait(self, isTrue, seconds=180):
        """Waits for a line. Fails if the program exits, or does not print the line in time."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.isOver or isTrue(self.lines), timeout=seconds):
                raise Wrong(f"nothing was said for {seconds} seconds after {self.lines[-3:]}")
            if not isTrue(self.lines):
                raise Wrong(f"ended: {self.lines[-3:]}")

    @property
    def number(self):
        """The last number that the program printed."""
        for line in reversed(self.lines):
            word = line.split(" ")
            if len(word) == 2 and word[1].isdigit():
                return int(word[1])
        return 0

    def kill(self):
        self.process.kill()
        self.thread.join()

    def end(self):
        self.thread.join()
        if self.process.returncode != 0:
            raise Wrong(f"ended with {self.process.returncode}: {self.lines[-3:]}")


class Counters:
    """Programs that count in one store until they are stopped. The store must have the counts that they printed."""

    def __init__(self, programs, url, count, *options):
        self.programs, self.url, self.options = programs, url, options
        handle, self.sign = tempfile.mkstemp()
        os.close(handle)
        os.unlink(self.sign)
        programs.run("count", url, 0, *options)
        self.running = [programs.start("count-until", url, self.sign, *options) for _ in range(count)]
        self.longest = 0
        self.wait_for_progress()

    def wait_for_progress(self, least=2):
        """Waits until each program has counted further."""
        begun = time.monotonic()
        for one, number in [(one, one.number) for one in self.running]:
            one.wait(lambda lines, one=one, number=number: one.number >= number + least)
        self.longest = max(self.longest, time.monotonic() - begun)

    def end(self):
        """Ends the programs, and checks the store.

        Returns the sum of their counts."""
        open(self.sign, "w").close()
        try:
            for one in self.running:
                one.end()
        finally:
            os.unlink(self.sign)
        total = sum(one.number for one in self.running)
        self.programs.run("counted", self.url, total, *self.options)
        return total

    def stop(self):
        for one in self.running:
            one.kill()
