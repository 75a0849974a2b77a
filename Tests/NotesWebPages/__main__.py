import argparse
import sys

from . import run

parser = argparse.ArgumentParser(prog="NotesWebPages")
parser.add_argument("program", help="the built program NotesWeb")
parser.add_argument("--chromium", default="/usr/bin/chromium")
parser.add_argument("--pictures", help="a folder for pictures of the pages")
parser.add_argument("--only", help="a part of the names of the tests to run")
arguments = parser.parse_args()
failures = run(arguments.program, arguments.chromium, arguments.pictures, arguments.only)
sys.exit(f"{len(failures)} of the tests failed" if failures else 0)
