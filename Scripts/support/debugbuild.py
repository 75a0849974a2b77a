"""What the last debug build of the package tells of its modules, for scripts that compile against them without building."""

import json


class NoDebugBuild(Exception):
    """There is no debug build, or one that lacks a module."""


def commands(scratch, module):
    """The commands by which the last build in a folder compiles a module, and links its program (None for a library)."""
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
    """The options of a command by which the compiler finds modules."""
    found, rest = [], iter(command[1:])
    for argument in rest:
        if argument in ("-I", "-Xcc", "-module-cache-path"):
            found += [argument, next(rest)]
        elif argument.startswith("-I"):
            found.append(argument)
    return found
