"""Row-level security: a copy either has the rows that a policy hides, or is refused."""

import pathlib
import subprocess
import urllib.parse

from programs import Wrong

ROLE = "looker"


def hide(programs, server, url):
    """A role from which row-level security hides rows cannot copy the store. Without the policy it can."""
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
