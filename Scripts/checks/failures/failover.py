"""Three servers under Patroni: one of them accepts writes, and another one takes over when it fails."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

from server import as_server, children, kill, kill_server, programs


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


CONFIGURATION = """
scope: perennial
name: {name}
restapi: {{listen: "127.0.0.1:{rest}", connect_address: "127.0.0.1:{rest}"}}
etcd3: {{host: "127.0.0.1:{etcd}"}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql: {{use_pg_rewind: false, parameters: {{fsync: "off", max_connections: 100}}}}
  initdb: [{{encoding: UTF8}}, {{locale: C.UTF-8}}, {{auth: trust}}, {{username: perennial}}, no-sync]
postgresql:
  listen: "127.0.0.1:{port}"
  connect_address: "127.0.0.1:{port}"
  data_dir: {folder}/{name}
  bin_dir: {programs}
  pgpass: {folder}/{name}.pgpass
  remove_data_directory_on_diverged_timelines: true
  remove_data_directory_on_rewind_failure: true
  pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  authentication:
    superuser: {{username: perennial}}
    replication: {{username: perennial}}
  parameters: {{unix_socket_directories: "{folder}"}}
"""


class Operator:
    """Reinitializes standbys that can no longer follow the leader, as the operator of a cluster would.

    Patroni compares the position that a standby has replayed with the history of a new leader, once. A busy standby may have
    received more than the new leader has, and replay it later. Patroni does not look again, and a leader without a standby
    commits nothing. The same happens to a standby that needs a part of the log that the leader has removed."""

    LOST = ("forked off current database system timeline", "could not receive data from WAL stream: ERROR:  requested WAL")
    CREATED = "replica has been created"

    def __init__(self, folder, nodes):
        self.folder, self.nodes, self.count = folder, nodes, 0
        self.positions = dict.fromkeys(nodes, 0)
        self.lost = set()
        self.isStopped = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.isStopped.wait(0.5):
            for name, node in self.nodes.items():
                self.read(name)
                if name in self.lost and self.reinitialize(node):
                    self.lost.discard(name)
                    self.count += 1

    def read(self, name):
        """Reads what a node has logged since the last call."""
        with open(f"{self.folder}/{name}.log", errors="replace") as log:
            log.seek(self.positions[name])
            for line in log.read().splitlines():
                if any(words in line for words in self.LOST):
                    self.lost.add(name)
                elif self.CREATED in line:
                    self.lost.discard(name)
            self.positions[name] = log.tell()

    @staticmethod
    def reinitialize(node):
        """Patroni refuses while it does that itself, and while there is no leader."""
        request = urllib.request.Request(f"http://127.0.0.1:{node['rest']}/reinitialize", b"{}", method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10):
                return True
        except OSError:
            return False

    def stop(self):
        self.isStopped.set()
        self.thread.join()


class Cluster:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="perennial-failover.", dir="/tmp")
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.processes, self.killed = {}, None
        client, peer = free_port(), free_port()
        self.spawn("etcd", ["etcd", "--data-dir", f"{self.folder}/etcd", "--unsafe-no-fsync",
                            "--listen-client-urls", f"http://127.0.0.1:{client}",
                            "--advertise-client-urls", f"http://127.0.0.1:{client}",
                            "--listen-peer-urls", f"http://127.0.0.1:{peer}",
                            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
                            "--initial-cluster", f"default=http://127.0.0.1:{peer}"])
        self.nodes = {}
        for name in ["one", "two", "three"]:
            node = {"port": free_port(), "rest": free_port()}
            self.nodes[name] = node
            path = pathlib.Path(f"{self.folder}/{name}.yml")
            path.write_text(CONFIGURATION.format(name=name, etcd=client, folder=self.folder, programs=programs(), **node))
            self.patroni(name)
        # Foundation does not support a URL with several hosts.
        hosts = ",".join("127.0.0.1" for _ in self.nodes)
        ports = ",".join(str(node["port"]) for node in self.nodes.values())
        self.url = f"postgresql:///postgres?user=perennial&host={hosts}&port={ports}"
        self.operator = Operator(self.folder, self.nodes)
        self.wait_for_members()

    def spawn(self, name, command):
        log = open(f"{self.folder}/{name}.log", "a")
        self.processes[name] = subprocess.Popen(
            as_server(*command), stdout=log, stderr=log, cwd="/", start_new_session=True
        )

    def patroni(self, name):
        self.spawn(name, ["patroni", f"{self.folder}/{name}.yml"])

    def members(self):
        """The members that a node lists, as Patroni reports them."""
        for node in self.nodes.values():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{node['rest']}/cluster", timeout=2) as answer:
                    return json.load(answer)["members"]
            except (OSError, ValueError, KeyError):
                continue
        return []

    def leader(self):
        for member in self.members():
            if member.get("role") in ("leader", "master") and member.get("state") == "running":
                return member["name"]
        return None

    def wait(self, isTrue, what):
        for _ in range(1800):
            if isTrue():
                return
            time.sleep(0.1)
        raise SystemExit(f"{what} has not happened\n{self.state()}")

    def ask(self, name, query):
        """What psql answers at a node, or its error."""
        command = [f"{programs()}/psql", "-h", "127.0.0.1", "-p", str(self.nodes[name]["port"]), "-U", "perennial",
                   "-XqAt", "-c", query, "postgres"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            return answer.stdout + answer.stderr
        except subprocess.TimeoutExpired:
            return "no answer within 60 s"

    def state(self):
        """What the members, the sessions and the logs say, for a report of a failure."""
        parts = [f"members: {self.members()}"]
        for name in self.nodes:
            for view in ("pid, state, wait_event, query FROM pg_stat_activity WHERE client_port IS NOT NULL",
                         "application_name, state, sync_state FROM pg_stat_replication"):
                parts.append(f"{name}: {self.ask(name, f'SELECT {view}')}")
        for path in sorted(pathlib.Path(self.folder).glob("*.log")):
            parts.append(f"{path.name}: {path.read_text(errors='replace')[-1500:]}")
        return "\n".join(parts)

    def wait_for_members(self):
        """Waits until both standbys follow the leader. Patroni says `running` also of a standby that follows none."""
        names = ", ".join(f"'{name}'" for name in self.nodes)
        query = f"SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND application_name IN ({names})"

        def are_there():
            leader = self.leader()
            return (leader and any(member.get("role") == "sync_standby" for member in self.members())
                    and self.ask(leader, query).strip() == str(len(self.nodes) - 1))
        self.wait(are_there, "a cluster of three servers")

    def kill_node(self, name):
        # Patroni is a child process of runuser.
        process = self.processes.pop(name)
        for one in [*children(process.pid), process.pid]:
            kill(one)
        process.wait()
        data = pathlib.Path(f"{self.folder}/{name}")
        if (data / "postmaster.pid").exists():
            kill_server(data)

    def fail_over(self):
        """Kills the leader, and waits for the next one."""
        self.killed = self.leader()
        self.kill_node(self.killed)
        self.wait(lambda: self.leader() not in (None, self.killed), "a failover")

    def heal(self):
        self.patroni(self.killed)
        self.wait_for_members()

    def stop(self):
        self.operator.stop()
        for name in list(self.processes):
            if name != "etcd":
                self.kill_node(name)
        etcd = self.processes.pop("etcd", None)
        if etcd:
            os.killpg(etcd.pid, signal.SIGKILL)
            etcd.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
