"""Markdown of the repository: its links and headings, and how a guide becomes an article of the site."""

import os
import re
from urllib.parse import unquote, urlsplit

FENCE = re.compile(r"^ *```[^`]*$")
LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`|\[[^\]]*\])*)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)")
PICTURE = re.compile(r"<picture>.*?<img alt=\"([^\"]*)\"\s+src=\"([^\"]*?)-light\.png\">\s*</picture>", re.DOTALL)
CODE = re.compile(r"`[^`]*`")


class Page:
    """A Markdown file as lines, each with its original position."""

    def __init__(self, path, lines, places):
        self.path, self.lines, self.places = path, lines, places

    @classmethod
    def read(cls, root, path):
        lines = (root / path).read_text().split("\n")
        return cls(path, lines, [f"{path}:{number}" for number in range(1, len(lines) + 1)])

    @property
    def text(self):
        return "\n".join(self.lines)

    def replacing(self, text):
        """The page with another text, which has the same number of lines."""
        lines = text.split("\n")
        assert len(lines) == len(self.lines), f"{self.path}: the number of lines has changed"
        return Page(self.path, lines, self.places)

    def sections(self, titles):
        """The sections with these titles, including their headings."""
        lines, places, isIn = [], [], False
        for line, place, isCode in zip(self.lines, self.places, codeLines(self.lines)):
            if line.startswith("## ") and not isCode:
                isIn = line[3:] in titles
            if isIn:
                lines.append(line)
                places.append(place)
        return Page(self.path, lines, places)


def codeLines(lines):
    """Whether each line is part of a block of code, including its fences."""
    isCode = False
    for line in lines:
        isFence = bool(FENCE.match(line))
        yield isCode or isFence
        isCode ^= isFence


def headings(lines):
    """The texts of the headings, by their anchors on a Markdown page."""
    found = {}
    for line, isCode in zip(lines, codeLines(lines)):
        match = None if isCode else re.match(r"#{1,6} +(.+?) *$", line)
        if match:
            text = LINK.sub(r"\2", match[1])
            anchor = re.sub(r"[^\w\- ]", "", text.replace("`", "").lower()).replace(" ", "-")
            number = sum(other == anchor or other.rpartition("-")[0] == anchor for other in found)
            found[anchor if anchor not in found else f"{anchor}-{number}"] = text
    return found


def links(page):
    """The links of a page, each with its position and its address."""
    text = outsideOfCode(page)
    for match in LINK.finditer(text):
        yield page.places[text.count("\n", 0, match.start())], match[3]
    for match in re.finditer(r"<((?:https?|mailto):[^>\s]*)>|(?:src|srcset|href)=\"([^\"]*)\"", text):
        yield page.places[text.count("\n", 0, match.start())], match[1] or match[2]


def outsideOfCode(page):
    """The text of a page without blocks of code, and without brackets in inline code. It has the same lines."""
    lines = ["" if isCode else line for line, isCode in zip(page.lines, codeLines(page.lines))]
    return CODE.sub(lambda match: re.sub(r"[\[\]()<>\"]", "_", match[0]), "\n".join(lines))


def brokenLinks(root, page, known):
    """Yields the problems of the links of a page.

    Args:
      known: the headings of each page, by its path.
    """
    for place, address in links(page):
        parts = urlsplit(address)
        if parts.scheme in ("http", "https", "mailto", "doc"):
            if parts.scheme.startswith("http") and not re.fullmatch(r"[\w.-]+(:\d+)?", parts.netloc):
                yield f"{place}: the address {address} names no server"
            continue
        path = target(page.path, unquote(parts.path)) if parts.path else page.path
        if parts.scheme or not (root / path).exists():
            yield f"{place}: the link {address} leads nowhere"
        elif parts.fragment and unquote(parts.fragment) not in known.get(path, {}):
            yield f"{place}: the link {address} leads to a heading that is not in {path}"


def target(path, address):
    """The path in the repository to which a relative address on a page leads."""
    return os.path.normpath(os.path.join(os.path.dirname(path), address))


class Guides:
    """The Markdown files that become articles of the site, and the destinations of their links there."""

    def __init__(self, articles, known, repository):
        """Args:
        articles: the site's page for each path that has one.
        known: the headings of each page, by its path.
        repository: the base address of files that are not on the site, or None.
        """
        self.articles, self.known, self.repository = articles, known, repository

    def article(self, page):
        """A guide as an article of the site, with the same number of lines."""
        lines = list(page.lines)
        for index, line in enumerate(lines):
            # A fence may have the name of a file after the language. DocC reads only the language.
            if FENCE.match(line):
                lines[index] = re.sub(r"^( *```\w*) .*", r"\1", line)
        text = PICTURE.sub(picture, "\n".join(lines))
        parts, end = [], 0
        for block in re.finditer(r"^ *```.*?^ *```", text, re.MULTILINE | re.DOTALL):
            parts += [self.linked(page, text[end : block.start()]), block[0]]
            end = block.end()
        parts.append(self.linked(page, text[end:]))
        return page.replacing("".join(parts))

    def linked(self, page, text):
        return LINK.sub(lambda match: self.link(page, match), text)

    def link(self, page, match):
        mark, text, address = match[1], match[2], match[3]
        parts = urlsplit(address)
        if mark or parts.scheme:
            return match[0]
        path = target(page.path, unquote(parts.path)) if parts.path else page.path
        if path in self.articles:
            heading = self.known.get(path, {}).get(unquote(parts.fragment))
            return f"[{text}](<doc:{self.articles[path]}{'#' + fragment(heading) if heading else ''}>)"
        return f"[{text}]({self.repository}/{path})" if self.repository else text


def picture(match):
    """A picture with a light and a dark variant, in the site's syntax, with the same number of lines."""
    return f"![{' '.join(match[1].split())}]({match[2].rpartition('/')[2]})" + "\n" * match[0].count("\n")


def fragment(heading):
    """The anchor of a heading on a page of the site."""
    text = re.sub(r"[^\w\s\-./]", "", heading.replace("`", ""))
    return re.sub(r"[\s-]+", "-", text.strip())
