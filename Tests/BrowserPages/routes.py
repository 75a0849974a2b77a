"""The routes of the store browser, as its sources declare them."""

import re

from browsed import ROOT

SOURCES = ROOT / "Sources/Browser"
DECLARATION = re.compile(r"\b(?:group|router)\.(get|post|put|patch|delete|head)\(\s*\"([^\"]*)\"")


def declared():
    """Returns every route of the sources, such as `GET entity/:entity/:key`."""
    found = set()
    for file in SOURCES.rglob("*.swift"):
        for method, path in DECLARATION.findall(file.read_text()):
            found.add(f"{method.upper()} {path.strip('/')}".strip())
    return found


def pattern(route):
    """Returns the pattern of the paths of a route. A parameter of a route is one part of a path."""
    path = route.partition(" ")[2]
    if path == "**":
        return re.compile(".*")
    parts = [r"[^/]+" if part.startswith(":") else re.escape(part) for part in path.split("/")]
    return re.compile("/".join(parts))


def specificity(route):
    """Returns a key that orders routes as the router prefers them: constant parts first, parameters later."""
    return [part.startswith(":") or part == "**" for part in route.partition(" ")[2].split("/")]


def matching(method, path, routes):
    """Returns the route that answers a request, or `None`."""
    found = [
        route for route in routes if route.split(" ")[0] == method and pattern(route).fullmatch(path.strip("/"))
    ]
    return min(found, key=specificity, default=None)
