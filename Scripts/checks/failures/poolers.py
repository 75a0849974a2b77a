"""PgBouncer in front of the server: the transactions of all programs share a few sessions."""

import socket
import subprocess
import time

from programs import Wrong
from server import as_server

# There are fewer sessions than programs, so that each session serves all programs.
SESSIONS = 4


class Pooler:
    def __init__(self, server):
        with socket.create_server(("127.0.0.1", 0)) as one:
            port = one.getsockname()[1]
        folder = server.folder
        with open(f"{folder}/pooled", "w") as users:
            users.write('"perennial" ""\n')
        with open(f"{folder}/pooler.ini", "w") as settings:
            settings.write(
                f"[databases]\n* = host=127.0.0.1 port={server.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
                f"listen_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = {folder}/pooled\n"
                f"pool_mode = transaction\ndefault_pool_size = {SESSIONS}\nmax_client_conn = 1000\n"
            )
        self.process = subprocess.Popen(as_server("pgbouncer", "-q", f"{folder}/pooler.ini"), cwd="/",
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = server.url.replace(f":{server.port}", f":{port}", 1)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise Wrong("PgBouncer does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()
