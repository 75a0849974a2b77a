"""A server with its own folder, and browser tabs that open its pages."""

import shutil
import signal
import subprocess
import tempfile
from pathlib import Path


class Failure(Exception):
    """A failed expectation of a test."""


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


class Server:
    """A process of the program, started as a person starts it."""

    def __init__(self, program, folder, *seeds, port="0"):
        self.process = subprocess.Popen(
            [program, folder, port, *seeds],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        check(line.startswith("listening on "), f"the server did not start: {line}")
        self.address = "http://" + line.removeprefix("listening on ").strip()

    def give(self, text):
        """Writes to the server's standard input, and closes it."""
        self.process.stdin.write(text)
        self.process.stdin.close()
        self.process.stdin = None

    def end(self):
        """Ends the server by a signal, as a service manager does, and waits until it has exited."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=600)
        check(self.process.returncode == 0, f"the server ended with {self.process.returncode}: {errors}")


class Case:
    """A server for one test, and the tabs that the test opens. No page may log errors to its console."""

    def __init__(self, browser, program, pictures):
        self.browser, self.program, self.pictures = browser, program, pictures
        self.contexts, self.messages, self.allowed = [], [], ()

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp())
        self.server = Server(self.program, self.folder)
        return self

    def __exit__(self, kind, error, trace):
        for context in self.contexts:
            context.close()
        try:
            self.server.end()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        unexpected = [text for text in self.messages if not any(part in text for part in self.allowed)]
        if kind is None:
            check(not unexpected, f"the console says: {unexpected}")

    def tab(self, path="/", **options):
        """Opens a tab in its own browser context, and waits until the notes are seeded."""
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(600_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.messages.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.goto(self.server.address + path)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("body[data-live]")
        page.wait_for_selector("#seeding:not(:has(*))", state="attached")
        return page

    def open(self, title, path="/", **options):
        """Opens a tab, and in it the note with a title."""
        page = self.tab(path, **options)
        page.get_by_role("link", name=title, exact=True).click()
        page.wait_for_selector(f"h1:has-text('{title}')")
        return page


def titles(page):
    return page.locator("#list .title a").all_inner_texts()
