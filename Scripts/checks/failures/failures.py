"""Runs the checks of Scripts/checks/postgresql-failures."""

import argparse
import contextlib
import random
import subprocess
import sys
import time
import uuid

from failover import Cluster
from policies import hide
from poolers import SESSIONS, Pooler
from programs import Counters, Programs, Wrong
from proxy import LOST, Proxy
from security import reach
from server import Server, kill


def schema(url, *parameters):
    """The URL of a new store."""
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}schema=s_{uuid.uuid4().hex}" + "".join(f"&{one}" for one in parameters)


@contextlib.contextmanager
def counting(programs, url, count, *options):
    counters = Counters(programs, url, count, *options)
    try:
        yield counters
    finally:
        counters.stop()


def clients(programs, server, times):
    """Kills programs while they save, and while they make their store."""
    saves, last, store, options = 0, 0, None, []
    for number in range(times):
        # Each store has 25 rounds. Stores with and without history alternate.
        if number % 25 == 0:
            if store:
                programs.run("verify", store, last, *options)
            store, last, options = schema(server.url), 0, ["history"] if number % 50 else []
        saving = programs.start("save", store, last, *options)
        if number % 25 == 0:
            time.sleep(random.uniform(0, 1.5))
        else:
            saving.wait(lambda lines: any(line.startswith(("ready", "wrong")) for line in lines))
            time.sleep(random.uniform(0, 0.3))
        saving.kill()
        if any(not line.startswith(("ready", "saved")) for line in saving.lines):
            raise Wrong(f"round {number}: {saving.lines}")
        saves += max(0, saving.number - last)
        last = max(last, saving.number)
    programs.run("verify", store, last, *options)
    return f"{times} programs killed, {saves} acknowledged saves"


def sessions(programs, server, times):
    """Kills processes of the server, which ends all of its sessions."""
    with counting(programs, schema(server.url), 4) as counters:
        for _ in range(times):
            found = server.sessions()
            while not found:
                time.sleep(0.05)
                found = server.sessions()
            kill(random.choice(found))
            counters.wait_for_progress()
        total = counters.end()
    return f"{times} sessions killed, {total} saves, the longest pause {counters.longest:.1f} s"


def servers(programs, server, times):
    """Kills the server, and starts it again after a while."""
    with counting(programs, schema(server.url), 4) as counters:
        for _ in range(times):
            server.kill()
            time.sleep(random.uniform(0, 2))
            server.start()
            counters.wait_for_progress()
        total = counters.end()
    return f"{times} servers killed, {total} saves, the longest pause {counters.longest:.1f} s"


def commits(programs, server, times):
    """Cuts connections while a transaction is committed."""
    for parameters in [[], ["without=transactionStatus"], ["without=sessions"]]:
        # A hanging session is found by its transaction ID. A session that only reads does not have one.
        ways = [way for way in LOST if way != "silence" or not parameters]
        proxy = Proxy(server.port, ways)
        url = server.url.replace(str(server.port), str(proxy.port))
        with counting(programs, schema(url, *parameters), 3) as counters:
            proxy.isArmed.set()
            while proxy.total < times:
                counters.wait_for_progress(1)
            proxy.isArmed.clear()
            total = counters.end()
        ways = ", ".join(f"{count} by {way}" for way, count in proxy.counts.items())
        print(f"{proxy.total} commits cut off ({ways}) {' '.join(parameters)}, {total} saves", flush=True)
    return "all of them were known"


def partitions(programs, server, times):
    """Interrupts the network between the programs and the server, for shorter and for longer than their timeout."""
    name = f"pf{random.randrange(10_000)}"
    near, far = f"{name}a", f"{name}b"
    net = f"10.{random.randrange(64, 128)}.{random.randrange(256)}"

    def ip(*words):
        subprocess.run(["ip", *words], check=True)

    server.listen_everywhere(f"{net}.0/24")
    ip("netns", "add", name)
    try:
        ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
        ip("addr", "add", f"{net}.1/24", "dev", near)
        ip("link", "set", near, "up")
        ip("-n", name, "addr", "add", f"{net}.2/24", "dev", far)
        ip("-n", name, "link", "set", far, "up")
        ip("-n", name, "link", "set", "lo", "up")
        inside = Programs(programs.path, ["ip", "netns", "exec", name])
        url = schema(server.url.replace("127.0.0.1", f"{net}.1"), "sslmode=disable")
        with counting(inside, url, 3) as counters:
            for number in range(times):
                ip("link", "set", near, "down")
                time.sleep(random.uniform(0.2, 3) if number % 2 else random.uniform(11, 20))
                ip("link", "set", near, "up")
                counters.wait_for_progress()
            total = counters.end()
    finally:
        ip("netns", "del", name)
    return f"{times} partitions, {total} saves, the longest pause after one {counters.longest:.1f} s"


def poolers(programs, server, times):
    """Programs with two stores share the few sessions of a pooler. They are configured for it or have to detect it."""
    for parameters in [[], ["without=preparedStatements"], ["without=sessions"]]:
        pooler = Pooler(server)
        try:
            one, other = (schema(pooler.url, *parameters) for _ in range(2))
            with counting(programs, one, SESSIONS) as first, counting(programs, other, SESSIONS) as second:
                for _ in range(times):
                    first.wait_for_progress(10)
                    second.wait_for_progress(10)
                totals = first.end(), second.end()
        finally:
            pooler.stop()
        print(f"{totals[0]} and {totals[1]} saves into two stores by {SESSIONS} sessions {' '.join(parameters)}", flush=True)
    return "each store has its own"


def policies(programs, server, _):
    """A row-level security policy hides rows from a role that copies a store."""
    return hide(programs, server, schema(server.url))


def attempts(programs, server, _):
    """A secured server accepts or refuses connections as it should."""
    return reach(programs, server)


def failovers(programs, times):
    """Kills the leader of three servers, and another one takes over."""
    cluster = Cluster()
    try:
        url = schema(cluster.url)
        with counting(programs, url, 3) as counters:
            for _ in range(times):
                cluster.fail_over()
                counters.wait_for_progress()
                cluster.heal()
            total = counters.end()
    except Wrong as wrong:
        raise Wrong(f"{wrong}\n{cluster.state()}") from wrong
    finally:
        cluster.stop()
    lost = f", {cluster.operator.count} standbys reinitialized because they could not follow" if cluster.operator.count else ""
    return f"{times} failovers, {total} saves, the longest pause {counters.longest:.1f} s{lost}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--program", required=True)
    parts = [clients, sessions, servers, commits, partitions, poolers, policies, attempts]
    for part in [*parts, failovers]:
        options.add_argument(f"--{part.__name__}", type=int, default=0)
    options = vars(options.parse_args())
    programs = Programs(options["program"])
    server = Server()
    try:
        for part in parts:
            if times := options[part.__name__]:
                print(f"== {part.__doc__}", flush=True)
                print(part(programs, server, times), flush=True)
    finally:
        server.stop()
    if times := options["failovers"]:
        print(f"== {failovers.__doc__}", flush=True)
        print(failovers(programs, times), flush=True)
    print("every acknowledged save was there, and none twice")


try:
    main()
except Wrong as wrong:
    print(f"wrong: {wrong}", file=sys.stderr)
    sys.exit(1)
