"""A private PostgreSQL server from Scripts/postgresql, which can be killed and started again."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "Scripts/postgresql"


def programs():
    """The folder with the programs of the newest installed server."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else pathlib.Path(shutil.which("initdb")).parent


def as_server(*command):
    """The command, run as a user that the server's programs accept."""
    command = [str(word) for word in command]
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else command


def children(process):
    """The child processes of a process."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True).stdout
    return [int(line) for line in listed.split()]


def kill(process, sign=signal.SIGKILL):
    try:
        os.kill(process, sign)
    except ProcessLookupError:
        pass


def state(process):
    """The letter by which the system says what a process does: `T` if it is stopped, `Z` if it has exited."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return "Z"
    return status.split("State:\t")[1][0]


def kill_server(data):
    """Kills a server with all its sessions, and waits until they have exited."""
    process = int((pathlib.Path(data) / "postmaster.pid").read_text().split()[0])
    # A session that started after the sessions were listed would outlive its server.
    kill(process, signal.SIGSTOP)
    while state(process) not in "TZ":
        time.sleep(0.01)
    killed = [*children(process), process]
    for one in killed:
        kill(one)
    while any(state(one) != "Z" for one in killed):
        time.sleep(0.01)


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="perennial-failures.", dir="/tmp")
        started = subprocess.run([SCRIPT, "start", self.folder], check=True, stdout=subprocess.PIPE, text=True)
        self.url = started.stdout.strip()
        self.data = f"{self.folder}/data"
        self.port = int(self.url.rsplit(":", 1)[1].split("/")[0])

    def ask(self, sql):
        answer = subprocess.run(
            [programs() / "psql", self.url, "-XAtqc", sql], capture_output=True, text=True, cwd="/"
        )
        return answer.stdout.split()

    def sessions(self):
        """The server's processes that serve the programs."""
        return [int(one) for one in self.ask(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )]

    def kill(self):
        kill_server(self.data)

    def start(self):
        """Starts the server again, as soon as the remains of the killed one allow it."""
        command = as_server(programs() / "pg_ctl", "--pgdata", self.data, "--log", f"{self.folder}/server.log",
                            "--options", f"-p {self.port}", "--wait", "--silent", "start")
        for _ in range(100):
            if subprocess.run(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.1)
        raise SystemExit(f"the server does not start again: {open(self.folder + '/server.log').read()[-2000:]}")

    def listen_everywhere(self, network):
        """Allows a network to connect, and restarts the server."""
        self.ask("ALTER SYSTEM SET listen_addresses = '*'")
        with open(f"{self.data}/pg_hba.conf", "a") as rules:
            rules.write(f"host all all {network} trust\n")
        self.kill()
        self.start()

    def stop(self):
        subprocess.run([SCRIPT, "stop", self.folder], check=False)
