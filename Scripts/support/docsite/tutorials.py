"""The tutorials as Markdown, to be read in the repository: their texts in order, with the code in place."""

import re
import textwrap

DIRECTIVE = re.compile(r"\s*@(\w+)(?:\((.*)\))?\s*(\{)?\s*$")
ARGUMENT = re.compile(r'(\w+): (?:"([^"]*)"|(\d+))')
DOC_LINK = re.compile(r"<doc:([\w-]+)>")
LANGUAGES = {".swift": "swift", ".json": "json", ".xml": "xml", ".sh": "sh", ".yml": "yaml", ".csv": "csv", ".sql": "sql"}
# The file name of the page that lists all tutorials.
CONTENTS = "README.md"


class Directive:
    """A directive of DocC: its name, its arguments, and its contents, which are texts and directives in order."""

    def __init__(self, name, arguments, place):
        self.name, self.arguments, self.place, self.parts = name, arguments, place, []

    def __getitem__(self, argument):
        if argument not in self.arguments:
            raise TutorialError(f"{self.place}: @{self.name} has no argument {argument}")
        return self.arguments[argument]

    @property
    def text(self):
        """Its paragraphs in order."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def directives(self):
        return [part for part in self.parts if isinstance(part, Directive)]


class TutorialError(Exception):
    """A problem in the source of a tutorial, with its position."""


class Tutorials:
    """The tutorials of a catalogue as pages."""

    def __init__(self, root, catalogue, folder):
        self.root, self.folder = root, folder
        self.source = f"{catalogue}/Tutorials"
        self.trees = {
            path.stem: parsed(path, path.relative_to(root).as_posix())
            for path in sorted((root / self.source).glob("*.tutorial"))
        }

    def pages(self):
        """The texts of the pages, by their paths in the repository."""
        return {f"{self.folder}/{self.fileName(stem)}": self.page(stem) for stem in self.trees}

    def outdated(self):
        """The paths of pages that are missing, differ from the tutorials, or have no tutorial."""
        pages = self.pages()
        found = {path.relative_to(self.root).as_posix() for path in (self.root / self.folder).glob("*.md")}
        current = {path for path in found & set(pages) if (self.root / path).read_text() == pages[path]}
        return sorted((found | set(pages)) - current)

    def write(self):
        """Writes the pages, removes those without a tutorial, and returns the changed paths."""
        outdated, pages = self.outdated(), self.pages()
        (self.root / self.folder).mkdir(parents=True, exist_ok=True)
        for path in outdated:
            if path in pages:
                (self.root / path).write_text(pages[path])
            else:
                (self.root / path).unlink()
        return outdated

    def fileName(self, stem):
        return CONTENTS if self.trees[stem].name == "Tutorials" else f"{stem}.md"

    def page(self, stem):
        tree = self.trees[stem]
        made = "this page is made from it by `Scripts/documentation --tutorials`."
        note = f"<!-- Change {self.source}/{stem}.tutorial:\n     {made} -->"
        intro = only(tree, "Intro")
        parts = [note, f"# {intro['title']}", self.prose(intro, intro.text)]
        if tree.name == "Tutorials":
            for chapter in named(tree, "Chapter"):
                parts += [f"## {chapter['name']}", self.prose(chapter, chapter.text), self.references(chapter)]
        else:
            parts.append(f"It takes about {tree['time']} minutes. [All tutorials]({CONTENTS})")
            for section in named(tree, "Section"):
                parts += self.section(section)
        return "\n\n".join(part for part in parts if part) + "\n"

    def references(self, chapter):
        """The list of a chapter's tutorials."""
        lines = []
        for reference in named(chapter, "TutorialReference"):
            stem = reference["tutorial"].removeprefix("doc:")
            title, time = self.title(stem, reference), self.trees[stem]["time"]
            lines.append(f"* [{title}]({self.fileName(stem)}), {time} minutes")
        return "\n".join(lines)

    def section(self, section):
        content = only(section, "ContentAndMedia")
        parts = [f"## {section['title']}", self.prose(content, content.text)]
        for number, step in enumerate(named(only(section, "Steps"), "Step"), 1):
            paragraphs = self.prose(step, step.text).split("\n\n")
            parts.append(f"**{number}.** " + "\n\n".join(paragraphs))
            for code in named(step, "Code"):
                parts.append(self.code(code))
        return parts

    def code(self, code):
        """A file with its name, or the commands and the output of a terminal."""
        path = self.root / self.source / "Resources" / code["file"]
        if not path.exists():
            raise TutorialError(f"{code.place}: {path.relative_to(self.root)} does not exist")
        text = path.read_text().rstrip("\n")
        fence = "```"
        while fence in text:
            fence += "`"
        language = LANGUAGES.get(path.suffix, "text")
        block = f"{fence}{language}\n{text}\n{fence}"
        return block if code["name"] == "Terminal" else f"`{code['name']}`:\n\n{block}"

    def prose(self, directive, text):
        """Paragraphs whose links to other tutorials lead to their pages."""

        def link(match):
            return f"[{self.title(match[1], directive)}]({self.fileName(match[1])})"

        return DOC_LINK.sub(link, text).strip("\n")

    def title(self, stem, directive):
        if stem not in self.trees:
            raise TutorialError(f"{directive.place}: there is no tutorial {stem}")
        return only(self.trees[stem], "Intro")["title"]


def parsed(path, name):
    """The directive in a file."""
    root = Directive("file", {}, name)
    open_, text = [root], []

    def flush():
        paragraphs = textwrap.dedent("\n".join(text)).strip("\n")
        if paragraphs:
            open_[-1].parts.append(paragraphs + "\n")
        text.clear()

    for number, line in enumerate(path.read_text().split("\n"), 1):
        place = f"{name}:{number}"
        if match := DIRECTIVE.match(line):
            flush()
            arguments = {key: words or count for key, words, count in ARGUMENT.findall(match[2] or "")}
            directive = Directive(match[1], arguments, place)
            open_[-1].parts.append(directive)
            if match[3]:
                open_.append(directive)
        elif line.strip() == "}":
            flush()
            if len(open_) == 1:
                raise TutorialError(f"{place}: this brace closes nothing")
            open_.pop()
        else:
            text.append(line)
    flush()
    if len(open_) > 1:
        raise TutorialError(f"{open_[-1].place}: @{open_[-1].name} is not closed")
    if len(root.directives) != 1:
        raise TutorialError(f"{name}: a file has one tutorial, and this one has {len(root.directives)}")
    return root.directives[0]


def named(directive, name):
    """The directives with a name in another directive."""
    return [part for part in directive.directives if part.name == name]


def only(directive, name):
    """The only directive with a name in another directive."""
    found = named(directive, name)
    if len(found) != 1:
        raise TutorialError(f"{directive.place}: @{directive.name} has {len(found)} times @{name}, and needs it once")
    return found[0]
