"""Exposes the server of Examples/Orders to failures under load. After each round it checks that every acknowledged
order is in the store, once and complete. `Scripts/checks/endure` builds the programs."""

import argparse
import collections
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

CLIENTS = 8
ROUNDS = ("kills", "terms", "locks", "disks", "replacements", "deployments", "backups")
# The clients that wait for a lock, and the greatest number of threads that the server may have.
WAITING = 300
MOST_THREADS = 16
# The query finds incomplete orders.
HALVES = """
SELECT ZNUMBER FROM ZORDER WHERE ZTOTAL IS NULL OR ZCUSTOMER IS NULL
  OR NOT EXISTS (SELECT 1 FROM ZORDERLINE WHERE ZORDER = ZORDER.Z_PK)
"""


class Failure(Exception):
    """The server violated a requirement."""


class Server:
    """A server with its store in a folder. It listens on a free port."""

    running = []

    def __init__(self, program, folder):
        self.log = folder.parent / f"{folder.name}.log"
        self.file = folder / "Orders.sqlite"
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([program, str(folder), "0"], stdout=subprocess.PIPE, stderr=log, text=True)
        Server.running.append(self.process)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1]) if line.startswith("listening on ") else None

    def require(self):
        if self.port is None:
            raise Failure(f"the server does not listen: {self.last_words()}")
        return self

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def terminate(self):
        """Terminates the server, and kills it if it does not exit in time."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure("the server goes on 30 s after SIGTERM")
        if status != 0:
            raise Failure(f"the server ended with status {status} after SIGTERM: {self.last_words()}")
        return time.monotonic() - start

    def thread_count(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def wait_for_connections(self, count):
        """Waits until this number of clients are connected."""
        limit = time.monotonic() + 60
        while sum(is_socket(f"/proc/{self.process.pid}/fd/{name}") for name in os.listdir(f"/proc/{self.process.pid}/fd")) < count:
            if time.monotonic() > limit:
                raise Failure(f"{count} clients are not connected within 60 s")
            time.sleep(0.005)

    def last_words(self):
        return self.log.read_text()[-2000:]


class Reader:
    """Reads an order repeatedly and measures the time of each answer."""

    def __init__(self, server, number):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.path = f"/orders/{number}"

    def median(self, count, until=lambda: False):
        """The median time of this number of answers in milliseconds, or of the answers until a condition holds."""
        times = []
        while len(times) < count and not (times and until()):
            start = time.monotonic()
            self.connection.request("GET", self.path)
            answer = self.connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise Failure(f"{self.path} is answered by {answer.status}")
            times.append((time.monotonic() - start) * 1000)
        return statistics.median(times)


class Clients:
    """Creates orders until it is stopped, and records the acknowledged ones."""

    numbers = 0

    def __init__(self, server, emails, products, count=CLIENTS):
        self.server, self.emails, self.products = server, emails, products
        self.acknowledged, self.answers = [], collections.Counter()
        self.isStopped = threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(count)]
        for thread in self.threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.isStopped.set()
        for thread in self.threads:
            thread.join()

    def post_once(self):
        """Creates one order. Returns the answer and its time in seconds."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            start = time.monotonic()
            connection.request("POST", "/orders", json.dumps(self.order()), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status, time.monotonic() - start
        finally:
            connection.close()

    def run(self):
        connection = None
        while not self.isStopped.is_set():
            order = self.order()
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
                connection.request("POST", "/orders", json.dumps(order), {"Content-Type": "application/json"})
                answer = connection.getresponse()
                body = answer.read().decode()
            except (OSError, http.client.HTTPException):
                # The client cannot know whether the server saved the order.
                connection = None
                self.count("no answer")
                time.sleep(0.01)
                continue
            if answer.status == 201:
                with self.lock:
                    self.acknowledged.append(order["number"])
            self.count(str(answer.status) if answer.status < 400 else f"{answer.status} {body}")

    def order(self):
        with self.lock:
            Clients.numbers += 1
            number = Clients.numbers
        lines = [
            {"sku": sku, "quantity": random.randint(1, 4)}
            for sku in random.sample(self.products, random.randint(1, 5))
        ]
        return {"number": f"E-{number}", "customer": random.choice(self.emails), "lines": lines}

    def count(self, answer):
        with self.lock:
            self.answers[answer] += 1

    def wait(self, count):
        """Waits until this number of further orders were acknowledged."""
        first, limit = len(self.acknowledged), time.monotonic() + 60
        while len(self.acknowledged) < first + count:
            if time.monotonic() > limit:
                raise Failure(f"no {count} orders are acknowledged within 60 s; answers: {dict(self.answers)}")
            time.sleep(0.005)

    def wait_for_refusal(self, number=1):
        """Waits until this number of further orders were refused."""

        def refused():
            with self.lock:
                return sum(count for answer, count in self.answers.items() if answer[0] in "45")

        first, limit = refused(), time.monotonic() + 60
        while refused() < first + number:
            if time.monotonic() > limit:
                raise Failure(f"no order is refused within 60 s; answers: {dict(self.answers)}")
            time.sleep(0.005)


def is_socket(path):
    try:
        return os.readlink(path).startswith("socket:")
    except OSError:
        return False


def check(file, acknowledged, what):
    """Checks that a closed store has all acknowledged orders, and that every order is complete."""
    database = sqlite3.connect(f"file:{file}?mode=rw", uri=True)
    try:
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise Failure(f"{what}: SQLite finds the store broken")
        numbers = collections.Counter(number for (number,) in database.execute("SELECT ZNUMBER FROM ZORDER"))
        halves = database.execute(HALVES).fetchall()
    finally:
        database.close()
    missing = [number for number in acknowledged if number not in numbers]
    if missing:
        raise Failure(f"{what}: {len(missing)} of {len(acknowledged)} acknowledged orders are missing: {missing[:5]}")
    if numbers and max(numbers.values()) > 1 or halves:
        raise Failure(f"{what}: orders are there twice, or in part: {halves[:5]}")
    return len(numbers)


def last_key(file):
    database = sqlite3.connect(file)
    try:
        return database.execute("SELECT max(Z_PK) FROM ZORDER").fetchone()[0]
    finally:
        database.close()


class Rounds:
    def __init__(self, options):
        self.options = options
        seed = json.loads(pathlib.Path(options.seed).read_text())
        self.emails = [customer["email"] for customer in seed["customers"]]
        self.products = [product["sku"] for product in seed["products"] if "stock" not in product]
        self.folder = pathlib.Path(options.folder)
        self.acknowledged = []

    def serve(self, folder, program=None):
        folder.mkdir(parents=True, exist_ok=True)
        return Server(program or self.options.program, folder).require()

    def load(self, server):
        return Clients(server, self.emails, self.products)

    def kills(self):
        """Kills the process while it works."""
        folder = self.folder / "kills"
        for number in range(self.options.kills):
            server = self.serve(folder)
            with self.load(server) as clients:
                clients.wait(random.randint(1, 300))
                server.kill()
            self.acknowledged += clients.acknowledged
            count = check(server.file, self.acknowledged, f"kill {number + 1}")
        return f"{len(self.acknowledged)} acknowledged orders, {count} in the store"

    def terms(self):
        """Terminates the process. Its acknowledged orders are in the file, and it leaves no write-ahead log."""
        folder, acknowledged, longest = self.folder / "terms", [], 0
        for number in range(self.options.terms):
            server = self.serve(folder)
            with self.load(server) as clients:
                clients.wait(random.randint(1, 300))
                longest = max(longest, server.terminate())
            acknowledged += clients.acknowledged
            if os.path.exists(f"{server.file}-wal"):
                raise Failure(f"SIGTERM {number + 1}: the log is left")
            count = check(server.file, acknowledged, f"SIGTERM {number + 1}")
        return f"{len(acknowledged)} acknowledged orders, {count} in the store; the longest end took {longest:.2f} s"

    def locks(self):
        """Another program holds the write lock. Many clients wait in vain, and others can read in the meantime."""
        folder, lines = self.folder / "locks", []
        for number in range(self.options.locks):
            where = f"lock {number + 1}"
            server = self.serve(folder)
            with self.load(server) as clients:
                clients.wait(100)
            reader = Reader(server, clients.acknowledged[-1])
            reader.median(200)
            calm = reader.median(1000)
            writers = Clients(server, self.emails, self.products, count=0)
            other = sqlite3.connect(server.file, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            answers, lock = [], threading.Lock()

            def wait_in_vain():
                answer = writers.post_once()
                with lock:
                    answers.append(answer)

            threads = [threading.Thread(target=wait_in_vain, daemon=True) for _ in range(WAITING)]
            for thread in threads:
                thread.start()
            # All clients wait once each of them has a connection.
            server.wait_for_connections(WAITING)
            crowded, most = reader.median(1000, until=lambda: answers), server.thread_count()
            while any(thread.is_alive() for thread in threads):
                most = max(most, server.thread_count())
                time.sleep(0.02)
            other.execute("ROLLBACK")
            other.close()
            longest = max(seconds for _, seconds in answers)
            if any(status != 503 for status, _ in answers) or len(answers) != WAITING:
                raise Failure(f"{where}: {collections.Counter(status for status, _ in answers)}, not {WAITING} refusals")
            if most > MOST_THREADS:
                raise Failure(f"{where}: the server has {most} threads")
            with self.load(server) as clients:
                clients.wait(20)
            server.terminate()
            lines.append((crowded / calm, most, min(seconds for _, seconds in answers), longest))
        ratio = statistics.median(line[0] for line in lines)
        return (
            f"{WAITING} writers wait: a read takes {ratio:.2f} times as long, at most {max(line[1] for line in lines)} "
            f"threads, refusals after {min(line[2] for line in lines):.2f} to {max(line[3] for line in lines):.2f} s"
        )

    def disks(self):
        """Fills the disk and frees it again while the server runs."""
        folder, acknowledged, refusals = self.folder / "disk", [], collections.Counter()
        for number in range(self.options.disks):
            mount = folder / str(number)
            mount.mkdir(parents=True)
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", str(mount)], check=True)
            try:
                server, filler = self.serve(mount), mount / "filler"
                with self.load(server) as clients:
                    clients.wait(20)
                    if server.get("/health")[0] != 200:
                        raise Failure(f"full disk {number + 1}: the server says that it is not well before")
                    fill(filler)
                    clients.wait_for_refusal(random.randint(1, 100))
                    status, _ = server.get("/report")
                    if status != 200:
                        raise Failure(f"full disk {number + 1}: reading ends with {status}")
                    status, _ = server.get("/health")
                    if status != 503:
                        raise Failure(f"full disk {number + 1}: the server says that it is well")
                    filler.unlink()
                    clients.wait(20)
                server.terminate()
                refusals.update({a: c for a, c in clients.answers.items() if a[0] in "45"})
                check(server.file, clients.acknowledged, f"full disk {number + 1}")
                acknowledged += clients.acknowledged
            finally:
                subprocess.run(["umount", "-l", str(mount)], check=True)
        return f"{len(acknowledged)} acknowledged orders; refusals: {dict(refusals)}"

    def replacements(self):
        """Replaces the open store with another one."""
        acknowledged, refusals = [], collections.Counter()
        for number in range(self.options.replacements):
            folder = self.folder / f"replaced{number}"
            server = self.serve(folder)
            former, other = folder / "former.sqlite", folder / "other.sqlite"
            os.link(server.file, former)
            with self.load(server) as clients:
                clients.wait(random.randint(1, 100))
                shutil.copy(self.options.empty, other)
                os.rename(other, server.file)
                clients.wait_for_refusal(CLIENTS + 1)
                # By now the server has answered every request that was in progress.
                count = len(clients.acknowledged)
                clients.wait_for_refusal(random.randint(1, 100))
                if len(clients.acknowledged) != count:
                    raise Failure(f"replacement {number + 1}: orders went into a store without a name")
                status, _ = server.get("/health")
                if status != 503:
                    raise Failure(f"replacement {number + 1}: the server says that it is well")
            server.terminate()
            if str(server.file) not in server.last_words():
                raise Failure(f"replacement {number + 1}: the log does not name the file")
            refusals.update({a: c for a, c in clients.answers.items() if a[0] in "45"})
            check(former, clients.acknowledged, f"replacement {number + 1}")
            if check(server.file, [], f"replacement {number + 1}") != 0:
                raise Failure(f"replacement {number + 1}: the new store has orders of the former one")
            acknowledged += clients.acknowledged
        return f"{len(acknowledged)} acknowledged orders; refusals: {dict(refusals)}"

    def deployments(self):
        """Runs a server with a later model next to the present server, and then goes back."""
        acknowledged, refusals = [], collections.Counter()
        folder = self.folder / "deployments"
        for number in range(self.options.deployments):
            where = f"deployment {number + 1}"
            old = self.serve(folder)
            with self.load(old) as former:
                former.wait(random.randint(1, 100))
                # The new server migrates the store while the other one serves.
                new = self.serve(folder, self.options.later)
                with self.load(new) as latter:
                    latter.wait(random.randint(1, 100))
                    former.wait_for_refusal()
                    if old.get("/health")[0] != 503:
                        raise Failure(f"{where}: the former server says that it is well")
                old.terminate()
                new.terminate()
            for clients in (former, latter):
                acknowledged += clients.acknowledged
                refusals.update({a: c for a, c in clients.answers.items() if a[0] in "45"})
            check(old.file, acknowledged, where)
            # The former program refuses the store until the command migrates it back.
            refused = Server(self.options.program, folder)
            if refused.port is not None:
                raise Failure(f"{where}: the former program opens the later store")
            refused.process.wait()
            # The command migrates the store back while the later server serves.
            new = self.serve(folder, self.options.later)
            with self.load(new) as latter:
                latter.wait(random.randint(1, 100))
                self.run("migrate", new.file, "--to", self.options.model, "--allow-downgrade")
                latter.wait_for_refusal()
                old = self.serve(folder)
                with self.load(old) as former:
                    former.wait(random.randint(1, 100))
                new.terminate()
                old.terminate()
            for clients in (former, latter):
                acknowledged += clients.acknowledged
                refusals.update({a: c for a, c in clients.answers.items() if a[0] in "45"})
            count = check(old.file, acknowledged, f"{where}, back")
        return f"{len(acknowledged)} acknowledged orders, {count} in the store; refusals: {dict(refusals)}"


    def backups(self):
        """Backs up the store while the server serves."""
        folder, bytes_of_all = self.folder / "backups", 0
        server = self.serve(folder)
        with self.load(server) as clients:
            for number in range(self.options.backups):
                where, backup = f"backup {number + 1}", folder / f"backup{number}.sqlite"
                clients.wait(random.randint(1, 300))
                acknowledged = list(clients.acknowledged)
                self.run("backup", server.file, "-o", backup)
                self.run("check", backup)
                count = check(backup, acknowledged, where)
                # Orders have consecutive keys and are never deleted, so that a consistent backup has no gap.
                if last_key(backup) != count:
                    raise Failure(f"{where}: it has {count} orders, and keys up to {last_key(backup)}")
                bytes_of_all += backup.stat().st_size
                backup.unlink()
        server.terminate()
        count = check(server.file, clients.acknowledged, "after the backups")
        return f"{len(clients.acknowledged)} acknowledged orders, {count} in the store; {bytes_of_all / 1e6:.1f} MB of backups"

    def run(self, *arguments):
        """Runs the command, which must succeed."""
        done = subprocess.run([self.options.perennial, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"perennial {arguments[0]} ended with status {done.returncode}: {done.stdout}{done.stderr}")


def fill(filler):
    """Fills all free space of a disk."""
    with open(filler, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            try:
                while file.write(b"\0" * size) == size:
                    pass
            except OSError:
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "later", "perennial", "model", "seed", "empty", "folder"):
        parser.add_argument(f"--{name}", required=True)
    for name in ROUNDS:
        parser.add_argument(f"--{name}", type=int, required=True)
    options = parser.parse_args()
    rounds = Rounds(options)
    empty = rounds.serve(rounds.folder / "empty")
    empty.terminate()
    shutil.copy(empty.file, options.empty)
    for name in ROUNDS:
        count = getattr(options, name)
        if count > 0:
            start = time.monotonic()
            outcome = getattr(rounds, name)()
            print(f"{count} {name} in {time.monotonic() - start:.0f} s: {outcome}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
    finally:
        # A server is still running only after a failure.
        for process in Server.running:
            process.kill()
