"""Row-level security: what a policy hides is missing from no copy that is said to be whole."""

import pathlib
import subprocess
import urllib.parse

from programs import Wrong

ROLE = "looker"


def hide(programs, server, url):
    """A store of which a role sees no row is not copied by it; one of which it sees all is."""
    folder = pathlib.Path(server.folder)
    name = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["schema"][0]
    programs.run("count", url, 0)
    server.ask(f"CREATE ROLE {ROLE} LOGIN")
    server.ask(f"GRANT USAGE ON SCHEMA {name} TO {ROLE}")
    server.ask(f"GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO {ROLE}")
    server.ask(f"ALTER TABLE {name}.counter ENABLE ROW LEVEL SECURITY")
    seen = url.replace("perennial@", f"{ROLE}@")
    copy = folder / "hidden.sqlite"
    done = subprocess.run([*programs.prefix, programs.path, "copy", seen, copy], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode == 0 or "row-level security" not in said or copy.exists():
        raise Wrong(f"a copy without the rows that a policy hides: {said}")
    server.ask(f"ALTER TABLE {name}.counter DISABLE ROW LEVEL SECURITY")
    return programs.run("copy", seen, folder / "whole.sqlite")
