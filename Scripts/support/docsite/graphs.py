"""The symbol graphs of the modules: their public declarations, and the names of these in a text."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

# A name in single backticks: a type, a member of a type, or a function with its labels.
NAME = re.compile(r"(?<![`\w])`((?:[A-Z]\w*(?:\.\w+)*(?:\([\w:]*\))?)|(?:[a-z]\w*\([\w:]+:\)))`(?!`)")
TYPES = ("swift.class", "swift.struct", "swift.enum", "swift.protocol")
# The members that every object of Foundation has.
ROOT_MEMBERS = ("copy", "debugDescription", "description", "hash", "isEqual", "isKind", "isProxy", "mutableCopy", "superclass")
# Text in which names do not become links: blocks of code, links, and headings.
APART = re.compile(r"^ *```.*?^ *```|!?\[[^\]]*\]\([^)]*\)|^#[^\n]*", re.MULTILINE | re.DOTALL)


class SymbolGraphs:
    """The public declarations of modules, read from the files of swift-symbolgraph-extract."""

    def __init__(self, folder):
        self.files = {path: json.loads(path.read_text()) for path in sorted(folder.glob("*.symbols.json"))}
        # The number of declarations with each path, in lowercase as in the site's addresses.
        self.counts = Counter()
        self.spellings, self.types, self.bases = {}, set(), {}
        identifiers = {}
        for module, symbol in self.symbols():
            path = (module, *symbol["pathComponents"])
            identifiers[symbol["identifier"]["precise"]] = path
            if "@" in module:
                continue
            self.counts[key(path)] += 1
            self.spellings.setdefault(key(path), path)
            if symbol["kind"]["identifier"] in TYPES:
                self.types.add(path)
        for graph in self.files.values():
            for relation in graph["relationships"]:
                if relation["kind"] == "inheritsFrom" and relation["source"] in identifiers:
                    base = identifiers.get(relation["target"], relation.get("targetFallback"))
                    self.bases[identifiers[relation["source"]]] = base
        self.modules = sorted({path[0] for path in self.spellings.values()})

    def symbols(self):
        """Each declaration with its module. The module of an extension is Module@Extended."""
        for path, graph in self.files.items():
            for symbol in graph["symbols"]:
                yield path.name.removesuffix(".symbols.json"), symbol

    def declarations(self):
        """The declarations in the sources, without those that the compiler synthesizes."""
        for _, symbol in self.symbols():
            isOurs = "::SYNTHESIZED::" not in symbol["identifier"]["precise"] and "location" in symbol
            if isOurs and symbol["kind"]["identifier"] != "swift.extension":
                yield symbol

    def undocumented(self):
        """The declarations that have no comment and inherit none from an overridden or implemented declaration."""
        for symbol in self.declarations():
            if not symbol.get("docComment"):
                yield place(symbol), ".".join(symbol["pathComponents"])

    def linkNames(self, text, scope=()):
        """A text whose names of public declarations are links, and the names in it that no declaration has.

        Args:
          text: Markdown. The number of its lines does not change.
          scope: the path of the documented declaration, with its module. Its members can be named without their type.
        """
        missing, parts, end = [], [], 0
        for apart in APART.finditer(text):
            parts += [self.linked(text[end : apart.start()], scope, missing, text.count("\n", 0, end)), apart[0]]
            end = apart.end()
        parts.append(self.linked(text[end:], scope, missing, text.count("\n", 0, end)))
        return "".join(parts), missing

    def linked(self, text, scope, missing, line):
        def link(match):
            path = self.find(match[1], scope)
            if path is None:
                missing.append((line + text.count("\n", 0, match.start()), match[1]))
            return f"``/{'/'.join(path)}``" if path else match[0]

        return NAME.sub(link, text)

    def find(self, name, scope):
        """The path of the only declaration with a name, an empty path if there are none or several, or None if the type is
        known and does not have the member."""
        head, _, signature = name.partition("(")
        names = head.split(".")
        if signature:
            names[-1] += "(" + signature
        if signature and len(names) == 1:
            candidates = [scope[:length] for length in range(len(scope) - 1, 1, -1)]
        else:
            candidates = [(module,) for module in ([scope[0]] if scope else []) + self.modules]
        for candidate in candidates:
            path = self.spellings.get(key((*candidate, *names)))
            if path and path[-1] == names[-1]:
                isItself = path == tuple(scope[: len(path)])
                return path if self.counts[key(path)] == 1 and not isItself else ()
        if len(names) > 1 and any(self.lacks((candidate[0], *names[:-1]), names[-1]) for candidate in candidates):
            return None
        return ()

    def lacks(self, owner, member):
        """True if a type and all of its ancestors are known, and none of them has the member."""
        while owner in self.types:
            if self.hasMember(owner, member):
                return False
            if owner not in self.bases:
                return True
            owner = self.bases[owner]
        # The members of other classes of other modules are not known here, and neither are those of a value type.
        return owner == "Foundation.NSObject" and member.partition("(")[0] not in ROOT_MEMBERS

    def hasMember(self, owner, member):
        prefix = key(owner) + "/" + member.lower()
        return any(path == prefix or path.startswith((prefix + "(", prefix + "/")) for path in self.counts)

    def write(self, folder):
        """Writes the graphs, whose comments have links at names, and returns the names that no declaration has."""
        missing = []
        for module, symbol in self.symbols():
            comment = symbol.get("docComment")
            if not comment or comment.get("module", "").partition("@")[0] not in self.modules:
                continue
            text = "\n".join(line["text"] for line in comment["lines"])
            scope = (module.partition("@")[0], *symbol["pathComponents"])
            text, names = self.linkNames(text, scope)
            lines = text.split("\n")
            if len(lines) != len(comment["lines"]):
                # The compiler reads comments from the sources at their positions in the last build.
                sys.exit(f"{place(symbol)}: the source has changed since the debug build; run Scripts/test first")
            for line, changed in zip(comment["lines"], lines):
                line["text"] = changed
            for line, name in names:
                position = comment["lines"][line].get("range", {}).get("start", {}).get("line")
                if position is not None:
                    missing.append((f"{relative(comment.get('uri'))}:{position + 1}", name))
        for path, graph in self.files.items():
            (folder / path.name).write_text(json.dumps(graph))
        return sorted(set(missing))


def extract(compiler, modules, folder):
    """Runs the compiler to write the symbol graphs of modules."""
    target = json.loads(subprocess.run(["swift", "-print-target-info"], capture_output=True, check=True).stdout)
    options = ["-target", target["target"]["triple"], "-minimum-access-level", "public", "-emit-extension-block-symbols"]
    for module in modules:
        command = ["swift-symbolgraph-extract", "-module-name", module, *options, *compiler, "-output-dir", str(folder)]
        subprocess.run(command, check=True)


def key(path):
    return "/".join(path).lower()


def place(symbol):
    """The file and the line of a declaration."""
    return f"{relative(symbol['location']['uri'])}:{symbol['location']['position']['line'] + 1}"


def relative(address):
    """The path of a source in the repository, independent of the folder in which it was built."""
    _, folder, path = (address or "").rpartition("/Sources/")
    return "Sources/" + path if folder else str(address)
