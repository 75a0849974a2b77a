"""How the command withstands a client that tries to keep it busy."""

import http.client
import pathlib
import re
import resource
import selectors
import shutil
import socket
import subprocess
import tempfile
import unittest

from browsed import MODEL, PERENNIAL, Server

CONNECTIONS = 1_000
# The limit only ends a test that would otherwise hang, so it is generous for slow machines.
PATIENCE = 3_600


class SlowConnections(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        store = self.folder / "Notes.sqlite"
        subprocess.run(
            [PERENNIAL, "generate-data", str(MODEL), "--count", "Note=100", "--seed", "42", "--store", str(store)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        self.server = Server(store, "--model", str(MODEL))
        self.addCleanup(self.server.stop)
        self.port = int(self.server.origin.rsplit(":", 1)[1])
        # Each connection of this test is an open file of its process.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        wanted = CONNECTIONS + 200
        if hard != resource.RLIM_INFINITY and hard < wanted:
            self.skipTest(f"a process may only have {hard} files open here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
        self.cookie = self.let_in()

    def let_in(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", self.server.address.removeprefix(self.server.origin))
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.getheader("Set-Cookie").split(";")[0]

    def memory(self, name):
        """A value in bytes from the kernel's status of the server process."""
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(rf"^{name}:\s+(\d+) kB", status, re.MULTILINE).group(1)) * 1024

    def page(self, connection):
        """The status of a page. Repeats the request if the server had closed the connection as idle."""
        while True:
            try:
                connection.request("GET", self.server.path + "/entity/Note", headers={"Cookie": self.cookie})
                response = connection.getresponse()
                response.read()
                return response.status
            except (http.client.RemoteDisconnected, ConnectionError):
                connection.close()

    def test_a_thousand_connections_that_do_not_go_on_are_closed_and_others_are_answered(self):
        served = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.assertEqual(self.page(served), 200)
        before = self.memory("VmHWM")
        selector = selectors.DefaultSelector()
        self.addCleanup(selector.close)
        for _ in range(CONNECTIONS):
            slow = socket.socket()
            slow.setblocking(False)
            slow.connect_ex(("127.0.0.1", self.port))
            selector.register(slow, selectors.EVENT_WRITE)
        opened = 0
        while selector.get_map():
            for key, events in selector.select(timeout=0.1):
                slow = key.fileobj
                try:
                    if events & selectors.EVENT_WRITE:
                        slow.send(b"GET /entity/Note HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
                        opened += 1
                        selector.modify(slow, selectors.EVENT_READ)
                        continue
                    if slow.recv(4_096):
                        continue
                except OSError:
                    # The server has closed the connection, or has never accepted it.
                    pass
                selector.unregister(slow)
                slow.close()
            # The connection that is already open is still served. A new one waits until the server accepts it.
            self.assertEqual(self.page(served), 200)
        self.assertGreater(opened, 400, "fewer connections came about than the server has at once")
        newcomer = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        self.assertEqual(self.page(newcomer), 200)
        for connection in served, newcomer:
            connection.close()
        self.assertLess(self.memory("VmHWM") - before, 64_000_000, "bytes for connections that do nothing")


if __name__ == "__main__":
    unittest.main()
