"""The records of the last debug build, for scripts that compile against its modules without building."""

import json


class NoDebugBuild(Exception):
    """There is no debug build, or it lacks a module."""


def commands(scratch, module):
    """The commands with which the last build in a folder compiled a module and linked its program (None for a library)."""
    compiling = linking = None
    description = scratch / "debug.yaml"
    for line in description.open() if description.exists() else ():
        if line.lstrip().startswith("args:") and f'"-module-name","{module}"' in line:
            arguments = json.loads(line.partition(":")[2])
            if "-emit-executable" in arguments:
                linking = arguments
            else:
                compiling = arguments
    if not compiling:
        raise NoDebugBuild(f"there is no debug build of {module} in {scratch}; run Scripts/test first")
    return compiling, linking


def moduleOptions(command):
    """The options in a command that tell the compiler where modules are."""
    found, rest = [], iter(command[1:])
    for argument in rest:
        if argument in ("-I", "-Xcc", "-module-cache-path"):
            found += [argument, next(rest)]
        elif argument.startswith("-I"):
            found.append(argument)
    return found
