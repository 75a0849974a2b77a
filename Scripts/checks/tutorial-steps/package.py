"""A reader's package at a step, compiled against the modules of the debug build and linked with its objects.

The package manager would plan the build and link all dependencies again for each tutorial. This module reads the targets, their
kinds and their resources from the package's manifest, generates accessors with the command, and calls the compiler with the
options of the debug build.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from debugbuild import NoDebugBuild, commands, moduleOptions

# A program of the debug build that depends on CoreData, Seeding and little else. Its build has the compiler options and the
# list of objects to link. The tests' own objects are left out.
MODEL = "CrashTest"
OF_TESTS = ("CrashTest.build", "TestSupport.build")
# Replaces the file that the package manager generates for the tests of a package.
RUNNER = """import Testing

@main
struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""
BUNDLE = """import Foundation

extension Foundation.Bundle {{
  static let module = Bundle(url: Bundle.main.bundleURL.appendingPathComponent("{name}"))!
}}
"""


class Failure(Exception):
    """A statement of a tutorial is not true."""


class Toolchain:
    """The compiler, and its options from the debug build."""

    def __init__(self, scratch):
        self.folder = (scratch / "debug").resolve()
        self.perennial = self.folder / "perennial"
        try:
            compiling, linking = commands(scratch, MODEL)
        except NoDebugBuild as error:
            raise Failure(str(error)) from error
        if not linking or not self.perennial.exists():
            raise Failure(f"there is no program {MODEL} or perennial in {scratch}; run Scripts/checks/tutorials, which builds them")
        self.compiler = [compiling[0], *moduleOptions(compiling)]
        self.libraries = [argument for argument in linking if argument.startswith(("-l", "-L/"))]
        objects = (self.folder / f"{MODEL}.product/Objects.LinkFileList").read_text().split()
        self.objects = [path.strip("'\"") for path in objects]
        self.objects = [path for path in self.objects if not any(f"/{name}/" in path for name in OF_TESTS)]


def run(command, folder):
    """Runs a program that has to succeed, and returns its output."""
    outcome = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if outcome.returncode:
        raise Failure((outcome.stdout + outcome.stderr).strip() or f"{command[0]} has status {outcome.returncode}")
    return outcome.stdout


class Package:
    """A package in a folder, and its build products."""

    def __init__(self, folder, toolchain):
        self.folder, self.toolchain = folder, toolchain
        # The build folder is in that of `swift build`, which the package's .gitignore contains.
        self.built = folder / ".build/tutorial"
        self.done, self.manifests = {}, {}

    # MARK: - The manifest

    def targets(self):
        """The targets of the manifest: kinds, resources and products by name."""
        text = (self.folder / "Package.swift").read_text()
        if text not in self.manifests:
            self.manifests[text] = json.loads(run(["swift", "package", "dump-package"], self.folder))
        manifest, found = self.manifests[text], {}
        for target in manifest["targets"]:
            products = {use["product"][0] for use in target["dependencies"] if "product" in use}
            copied = [resource["path"] for resource in target["resources"]]
            found[target["name"]] = (target["type"], copied, products, bool(target.get("pluginUsages")))
        return found

    def sources(self, name):
        """The folder of a target, and its Swift files."""
        folder = self.folder / ("Tests" if name.endswith("Tests") else "Sources") / name
        return folder, sorted(str(path) for path in folder.rglob("*.swift") if "Generated" not in path.parts)

    # MARK: - Earlier states

    def check(self):
        """Type-checks the sources after a step, and the tests if there are any."""
        self.built.mkdir(parents=True, exist_ok=True)
        for folder in sorted((self.folder / "Sources").glob("*")):
            name = folder.name
            command = self.compiler(name) + ["-wmo", "-emit-module", "-enable-testing"]
            command += ["-o", str(self.built / f"{name}.swiftmodule")]
            self.once(f"check {name}", [*self.sources(name)[1], self.bundle(name)], command)
        for folder in sorted((self.folder / "Tests").glob("*")):
            command = self.compiler(folder.name) + ["-typecheck"]
            self.once(f"check {folder.name}", self.sources(folder.name)[1], command, self.imported(folder.name))

    # MARK: - Building

    def program(self):
        """Builds the package's program with its resources next to it. Returns its path and its name."""
        targets = self.targets()
        names = [name for name, (kind, *_) in targets.items() if kind == "executable"]
        if len(names) != 1:
            raise Failure(f"the package has {len(names)} programs, and not one")
        name = names[0]
        objects = self.target(name, targets[name])
        program = self.built / name
        options = ["-Xlinker", "--defsym", "-Xlinker", f"main={name}_main"]
        self.once(f"link {name}", objects, self.linker(program, options))
        return program, name

    def tests(self):
        """Builds the package's tests. Returns the path of the program that runs them."""
        targets, objects = self.targets(), []
        for name, target in targets.items():
            objects += self.target(name, target)
        runner = self.built / "Runner.swift"
        runner.write_text(RUNNER)
        command = self.compiler("Runner") + ["-c", "-wmo", "-o", str(self.built / "Runner.o")]
        self.once("compile Runner", [str(runner)], command)
        tests = self.built / "PackageTests"
        self.once("link tests", [*objects, str(self.built / "Runner.o")], self.linker(tests, []))
        return tests

    def target(self, name, target):
        """Compiles a target and puts its resources where its programs look for them. Returns its objects."""
        _, copied, products, hasPlugin = target
        self.built.mkdir(parents=True, exist_ok=True)
        folder, sources = self.sources(name)
        self.compareImports(name, sources, products)
        if not name.endswith("Tests"):
            resources = self.built / f"{self.folder.name}_{name}.resources"
            shutil.rmtree(resources, ignore_errors=True)
            resources.mkdir()
            for path in copied:
                self.copy(folder / path, resources / Path(path).name)
            if hasPlugin:
                sources += self.accessors(name, folder, resources)
            sources.append(self.bundle(name))
        object = str(self.built / f"{name}.o")
        command = self.compiler(name) + ["-c", "-wmo", "-emit-module", "-enable-testing", "-o", object]
        command += ["-emit-module-path", str(self.built / f"{name}.swiftmodule")]
        # A program that tests import has a main function under another name, because the tests have one as well.
        command += ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", f"{name}_main"]
        self.once(f"compile {name}", sources, command, self.imported(name))
        return [object]

    def imported(self, name):
        """The modules of the package that a target may import. Only tests import others."""
        return sorted(self.built.glob("*.swiftmodule")) if name.endswith("Tests") else []

    def accessors(self, name, folder, resources):
        """Generates the plugin's sources for a target, and puts compiled models into the resources."""
        made = self.built / f"{name}.generated"
        shutil.rmtree(made, ignore_errors=True)
        command = [str(self.toolchain.perennial), "generate", "--accessors", str(folder), "-o", str(made)]
        run(command, self.folder)
        for path in made.iterdir():
            if path.suffix != ".swift":
                self.copy(path, resources / path.name)
        return [str(path) for path in made.glob("*.swift")]

    def bundle(self, name):
        """The source that declares `Bundle.module` for a target."""
        path = self.built / f"{name}+Bundle.swift"
        path.write_text(BUNDLE.format(name=f"{self.folder.name}_{name}.resources"))
        return str(path)

    @staticmethod
    def copy(source, destination):
        if source.is_dir():
            shutil.copytree(source, destination)
        elif source.exists():
            shutil.copyfile(source, destination)
        else:
            raise Failure(f"the manifest names a resource that is not there: {source}")

    def compareImports(self, name, sources, products):
        """Fails if a source imports a module that is not a dependency of the target in the manifest."""
        for path in sources:
            for module in re.findall(r"^(?:@testable )?import (\w+)", Path(path).read_text(), re.MULTILINE):
                if module in ("CoreData", "Seeding") and module not in products:
                    raise Failure(f"{path} imports {module}, which the target {name} does not depend on")

    # MARK: - Commands

    def compiler(self, module):
        """The compiler, for a module of the package."""
        # The debug build may have modules of the same names, from other packages that were built into its folder.
        program, *options = self.toolchain.compiler
        command = [program, "-I", str(self.built), *options, "-module-name", module, "-swift-version", "6"]
        return command + ["-parse-as-library", "-Onone", "-warnings-as-errors"]

    def linker(self, program, options):
        """The linker, which also links the objects of the debug build."""
        objects = self.built / "objects"
        objects.write_text("".join(f"'{path}'\n" for path in self.toolchain.objects))
        command = [self.toolchain.compiler[0], "-emit-executable", "-o", str(program), f"@{objects}"]
        # The programs need no debug information, which would take most of the linker's time.
        quick = ["-use-ld=lld", "-Xlinker", "--strip-debug"]
        return command + self.toolchain.libraries + quick + options

    def once(self, step, inputs, command, imported=()):
        """Runs a command, unless it already ran with the same contents of its input files and imported modules."""
        digest = hashlib.sha256("\0".join(command).encode())
        for path in [*inputs, *imported]:
            digest.update(str(path).encode() + b"\0" + Path(path).read_bytes())
        if self.done.get(step) == digest.digest():
            return
        try:
            run([*command, *inputs], self.folder)
        except Failure:
            # In about one of a hundred links, swiftc of Swift 6.3.1 left out the libraries that the objects name.
            if "-emit-executable" not in command:
                raise
            print(f"{step}: swiftc failed, and is started once more", file=sys.stderr)
            run([*command, *inputs], self.folder)
        self.done[step] = digest.digest()
