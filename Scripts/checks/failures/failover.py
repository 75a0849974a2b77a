"""Three servers under Patroni: one of them accepts writes, and another one takes over when it fails."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from server import as_server, children, kill, programs


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

    def state(self):
        """What the members, the sessions and the logs say, for a report of a failure."""
        parts = [f"members: {self.members()}"]
        for name, node in self.nodes.items():
            for view in ("pid, state, wait_event, query FROM pg_stat_activity WHERE client_port IS NOT NULL",
                         "application_name, state, sync_state FROM pg_stat_replication"):
                command = [f"{programs()}/psql", "-h", "127.0.0.1", "-p", str(node["port"]), "-U", "perennial",
                           "-XqAt", "-c", f"SELECT {view}", "postgres"]
                try:
                    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
                    parts.append(f"{name}: {answer.stdout}{answer.stderr}")
                except subprocess.TimeoutExpired:
                    parts.append(f"{name}: no answer within 60 s")
        for path in sorted(pathlib.Path(self.folder).glob("*.log")):
            parts.append(f"{path.name}: {path.read_text(errors='replace')[-1500:]}")
        return "\n".join(parts)

    def wait_for_members(self):
        def are_there():
            found = self.members()
            states = [member.get("state") for member in found]
            return (self.leader() and len(found) == 3 and all(one in ("running", "streaming") for one in states)
                    and any(member.get("role") == "sync_standby" for member in found))
        self.wait(are_there, "a cluster of three servers")

    def kill_node(self, name):
        # Patroni is a child process of runuser.
        process = self.processes.pop(name)
        data = pathlib.Path(f"{self.folder}/{name}/postmaster.pid")
        server = int(data.read_text().split()[0]) if data.exists() else None
        for one in [*children(process.pid), process.pid]:
            kill(one)
        process.wait()
        if server:
            for one in [server, *children(server)]:
                kill(one)

    def fail_over(self):
        """Kills the leader, and waits for the next one."""
        self.killed = self.leader()
        self.kill_node(self.killed)
        self.wait(lambda: self.leader() not in (None, self.killed), "a failover")

    def heal(self):
        self.patroni(self.killed)
        self.wait_for_members()

    def stop(self):
        for name in list(self.processes):
            if name != "etcd":
                self.kill_node(name)
        etcd = self.processes.pop("etcd", None)
        if etcd:
            os.killpg(etcd.pid, signal.SIGKILL)
            etcd.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
