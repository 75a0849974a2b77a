"""A proxy between programs and their server, which cuts connections in the middle of a COMMIT.

It reads as much of PostgreSQL's frontend protocol as it needs: each message begins with a letter and a length, and the
first messages of a connection only with the length.
"""

import random
import socket
import threading

# The ways to lose a COMMIT: before the server receives it, after the server has answered, without waiting for the answer, and
# with a session that stays open on the server.
LOST = ["request", "answer", "race", "silence"]
FIRST_REQUESTS = {80877103: "SSL", 80877104: "GSS"}


class Proxy:
    def __init__(self, port, ways=LOST):
        self.server_port = port
        self.counts = dict.fromkeys(ways, 0)
        self.isArmed = threading.Event()
        self.lock = threading.Lock()
        self.held = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.server_port))
        except OSError:
            client.close()
            return
        link = Link(self, client, server)
        threading.Thread(target=link.answers, daemon=True).start()
        link.requests()

    def next_loss(self):
        """The way in which to lose a COMMIT; None if it passes."""
        if not self.isArmed.is_set() or random.random() > 0.2:
            return None
        with self.lock:
            way = min(self.counts, key=lambda way: (self.counts[way], random.random()))
            self.counts[way] += 1
            return way

    @property
    def total(self):
        return sum(self.counts.values())


class Link:
    """One connection of a client."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.reader = client.makefile("rb")
        self.loss = None

    def end(self):
        for one in (self.client, self.server):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def answers(self):
        try:
            while data := self.server.recv(65536):
                if self.loss in ("answer", "race", "silence"):
                    break
                self.client.sendall(data)
        except OSError:
            pass
        if self.loss != "silence":
            self.end()

    def requests(self):
        try:
            self.first_messages()
            while header := self.read(5):
                body = self.read(int.from_bytes(header[1:], "big") - 4)
                if self.is_commit(header[:1], body):
                    self.loss = self.proxy.next_loss()
                    if self.loss in ("request", "silence"):
                        return self.lose()
                self.server.sendall(header + body)
                if self.loss == "race" and header[:1] in b"SQ":
                    return self.end()
        except (OSError, EOFError):
            pass
        if self.loss != "answer":
            self.end()

    def lose(self):
        if self.loss == "request":
            return self.end()
        # The server does not know that the client is gone, and keeps the session open.
        self.proxy.held.append(self.server)
        self.client.close()
        self.reader.close()

    def first_messages(self):
        while True:
            header = self.read(8)
            if not header:
                raise EOFError
            body = self.read(int.from_bytes(header[:4], "big") - 8)
            self.server.sendall(header + body)
            # The server answers these two requests with one letter, which means no.
            if int.from_bytes(header[4:], "big") not in FIRST_REQUESTS:
                return

    def read(self, count):
        data = self.reader.read(count)
        if len(data) < count and (data or count):
            raise EOFError
        return data

    @staticmethod
    def is_commit(kind, body):
        if kind == b"Q":
            return body.startswith(b"COMMIT\0")
        return kind == b"P" and body.split(b"\0", 2)[1] == b"COMMIT"
