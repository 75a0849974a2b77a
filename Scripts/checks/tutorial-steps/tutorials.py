"""Follows each tutorial step by step, and compares the output of its commands: see Scripts/checks/tutorials."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from package import Failure, Package, Toolchain
from story import CommandStep, FileStep, agree, steps, tutorials

ROOT = Path(__file__).resolve().parents[3]
# The server in the tutorials' commands.
SERVER = "db.example.com"
# The owner of the server, who may make roles and databases.
OWNER = f"postgresql://postgres@{SERVER}/postgres"
# The command that exits with status 1 if it finds differences.
COMPARISON = "perennial seed diff "
# A store made by Apple's framework. A tutorial uses it under another name.
APPLE_STORE = "moody/Migrations/MigrationsTests/Moody 5.moody"


class Reader:
    """Follows a tutorial in a separate folder."""

    def __init__(self, tutorial, toolchain, fixtures, server, hasPackageManager):
        self.tutorial, self.toolchain, self.server = tutorial, toolchain, server
        self.hasPackageManager = hasPackageManager
        self.folder = Path(tempfile.mkdtemp(prefix="tutorial-")).resolve()
        # A tutorial begins in the folder that contains the checkout.
        (self.folder / "perennial").symlink_to(ROOT)
        store = fixtures / APPLE_STORE
        if store.exists():
            shutil.copyfile(store, self.folder / store.name)
        self.package = None
        self.written = set()
        # The last step that changed sources which no command has compiled since.
        self.unchecked = None

    def follow(self):
        """Follows the tutorial to its end. Returns the numbers of its files and commands."""
        files = commands = 0
        for step in steps(self.tutorial):
            if isinstance(step, FileStep):
                self.check()
            try:
                if isinstance(step, FileStep):
                    files += 1
                    self.write(step)
                else:
                    commands += 1
                    self.run(step)
            except Failure as failure:
                raise Failure(f"{step.place}: {failure}") from failure
        self.check()
        return files, commands

    def write(self, step):
        """Writes the file of a step. If a command has written the file, its contents must first be shown unchanged."""
        path = self.folder / step.path
        if path.exists() and path not in self.written and path.read_text() != step.text:
            raise Failure(f"{step.path} is not what a command has made of it")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != step.text:
            path.write_text(step.text)
            if path.suffix == ".swift" and path.name != "Package.swift":
                self.unchecked = step.place
        self.written.add(path)

    def check(self):
        """Type-checks the sources after the steps so far, unless a command has compiled them."""
        place, self.unchecked = self.unchecked, None
        if place and not self.hasPackageManager:
            self.package = self.package or Package(self.folder, self.toolchain)
            try:
                self.package.check()
            except Failure as failure:
                raise Failure(f"{place}: {failure}") from failure

    def run(self, step):
        """Runs a command, and compares its output."""
        if step.command.startswith("cd "):
            self.folder = (self.folder / step.command[3:]).resolve()
            self.package = Package(self.folder, self.toolchain)
            return
        command = step.command
        isSwift = command.startswith("swift ")
        if isSwift and not self.hasPackageManager:
            command = self.built(command.split()[1:])
            # A program is built without the tests.
            if command.endswith("swift-testing") or not (self.folder / "Tests").exists():
                self.unchecked = None
        if self.server:
            command = command.replace(OWNER, self.server).replace(SERVER, urlsplit(self.server).netloc.rpartition("@")[2])
        path = f"{self.toolchain.folder}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "TERM": "dumb"}
        # The package manager reports its progress on standard error, which does not belong to the compared output.
        errors = None if isSwift and self.hasPackageManager else subprocess.STDOUT
        outcome = subprocess.run(
            command, shell=True, cwd=self.folder, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=errors)
        printed = outcome.stdout
        if not agree(printed.splitlines(), step.expected):
            expected = "\n".join(step.expected)
            raise Failure(f"{step.command}\nprinted:\n{printed}\nand not:\n{expected}")
        fails = any(line.startswith("Error:") for line in step.expected)
        if step.command.startswith(COMPARISON):
            fails = bool(step.expected)
        if fails != (outcome.returncode != 0):
            raise Failure(f"{step.command}: the status is {outcome.returncode}")

    def built(self, words):
        """Builds what `swift test` and `swift run` would build, and returns the command that runs it."""
        if words == ["test"]:
            return f"'{self.package.tests()}' --testing-library swift-testing"
        if words[0] == "run":
            program, name = self.package.program()
            if words[1:] and words[1] != name:
                raise Failure(f"there is no program {words[1]}, but {name}")
            return " ".join([f"'{program}'", *words[2:]])
        raise Failure("nobody knows this command of swift; see Scripts/checks/tutorial-steps/tutorials.py")


def reason(tutorial, fixtures, server):
    """The reason why a tutorial cannot be followed here; None if it can."""
    text = "".join(step.command for step in steps(tutorial) if isinstance(step, CommandStep))
    if SERVER in text and not server:
        return "there is no server of PostgreSQL here"
    store = fixtures / APPLE_STORE
    if store.name in text and not store.exists():
        return f"there is no {store}"
    return None


def unused(folder):
    """The resources of tutorials that no tutorial shows. The dark variant of a picture belongs to the light one."""
    shown = "".join(path.read_text() for path in folder.glob("*.tutorial"))
    return [path for path in sorted((folder / "Resources").iterdir()) if path.name.replace("~dark", "") not in shown]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scratch-path", type=Path, default=ROOT / ".build")
    parser.add_argument("--fixtures", type=Path, default=ROOT.parent / "shared/fixtures")
    parser.add_argument("--swift", action="store_true", help="have the package manager do what commands of swift say")
    parser.add_argument("names", nargs="*", help="the tutorials to follow, by words of their names; all unless given")
    options = parser.parse_args()
    server = os.environ.get("PERENNIAL_POSTGRESQL")
    toolchain = Toolchain(options.scratch_path.resolve())
    folder = ROOT / "Documentation/Perennial.docc/Tutorials"
    found = tutorials(folder)
    found = [path for path in found if all(name in path.name for name in options.names)]

    def follow(tutorial):
        begun = time.monotonic()
        skipped = reason(tutorial, options.fixtures, server)
        if skipped:
            return True, f"{tutorial.stem}: skipped, because {skipped}"
        reader = Reader(tutorial, toolchain, options.fixtures.resolve(), server, options.swift)
        beginning = reader.folder
        try:
            files, commands = reader.follow()
        except Failure as failure:
            return False, f"error: {failure}"
        finally:
            shutil.rmtree(beginning, ignore_errors=True)
        seconds = time.monotonic() - begun
        return True, f"{tutorial.stem}: {files} states of files, {commands} commands, {seconds:.0f} s"

    isRight = bool(found)
    for path in unused(folder):
        print(f"error: no tutorial shows {path.name}", file=sys.stderr)
        isRight = False
    with ThreadPoolExecutor(max_workers=2) as readers:
        for succeeded, text in readers.map(follow, found):
            print(text, file=sys.stdout if succeeded else sys.stderr)
            isRight = isRight and succeeded
    if not isRight:
        sys.exit("not all tutorials are as they say; see above.")


try:
    main()
except (Failure, ValueError) as problem:
    sys.exit(f"error: {problem}")
