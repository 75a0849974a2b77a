"""The contents of a tutorial: the files and the commands of its steps, in the reader's order."""

import re
from dataclasses import dataclass
from pathlib import Path

CODE = re.compile(r'@Code\(name: "(?P<name>[^"]+)", file: "(?P<file>[^"]+)"')
# The name of a step's listing that shows commands and their output.
TERMINAL = "Terminal"
# A line that represents any number of lines, which differ between machines.
GAP = "…"


@dataclass
class FileStep:
    """A step that shows the new contents of a file."""

    place: str
    path: str
    text: str


@dataclass
class CommandStep:
    """A command, and the lines that it prints."""

    place: str
    command: str
    expected: list


def steps(tutorial):
    """The steps of a tutorial. Their files are in the folder Resources next to it."""
    text, found = tutorial.read_text(), []
    if text.count("@Code(") != len(CODE.findall(text)):
        raise ValueError(f'{tutorial}: each @Code has to read @Code(name: "…", file: "…")')
    for match in CODE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        resource = tutorial.parent / "Resources" / match["file"]
        place = f"{tutorial.name}:{line}, {resource.name}"
        if match["name"] == TERMINAL:
            found += commands(resource, place)
        else:
            found.append(FileStep(place, match["name"], resource.read_text()))
    return found


def commands(resource, place):
    """The commands of a step, which begin with `$ `, each with the lines after it."""
    found = []
    for line in resource.read_text().splitlines():
        if line.startswith("$ "):
            found.append(CommandStep(place, line[2:], []))
        elif found:
            found[-1].expected.append(line)
        else:
            raise ValueError(f"{place}: the first line is not a command; begin it with $ and a blank")
    return found


def agree(printed, expected):
    """True if the printed lines are the expected ones, apart from gaps and times."""

    def line(text):
        return re.sub(r"\d+\.\d+(?= seconds)", "0.0", text.rstrip())

    printed = [line(text) for text in printed]
    pattern = "".join("(?:.*\n)*?" if text == GAP else re.escape(line(text)) + "\n" for text in expected)
    while printed and not printed[-1]:
        printed.pop()
    return re.fullmatch(pattern, "".join(text + "\n" for text in printed)) is not None


def tutorials(folder: Path):
    """The tutorials of a folder."""
    return [path for path in sorted(folder.glob("*.tutorial")) if path.read_text().startswith("@Tutorial(")]
