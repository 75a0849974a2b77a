"""Sends load to a server of OrdersLoad with wrk, in rounds that alternate between the stores, and prints the figures.
Fails if an answer is wrong. `Scripts/measure/load` starts and stops the server."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time
import urllib.request

STORES = ["coredata", "grdb"]
REQUESTS = pathlib.Path(__file__).with_name("load.lua")


class Failure(Exception):
    """The server violated a requirement."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("address", help="of the server, as http://127.0.0.1:8080")
    parser.add_argument("catalogue", help="a Lua file with emails and numbers of products")
    parser.add_argument("acknowledged", help="a file for the numbers of orders that have been acknowledged")
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--connections", required=True)
    parser.add_argument("--modes", required=True)
    parser.add_argument("--stores", required=True)
    options = parser.parse_args()

    stores = options.stores.split(",")
    server = Server(options.address, options.catalogue)
    history = [server.figures()]
    runs = {}
    number = 0
    # By default, modes that write come last, so that both stores have the same size for the other modes. The faster store would
    # otherwise have more orders to report on.
    for mode in options.modes.split(","):
        for connections in map(int, options.connections.split(",")):
            for turn in range(options.rounds):
                for store in stores if turn % 2 == 0 else reversed(stores):
                    number += 1
                    run = server.run(store, mode, connections, options.seconds, f"L{number}")
                    runs.setdefault((mode, connections), {}).setdefault(store, []).append(run)
                    history.append(run["figures"])
            print_row(mode, connections, runs[mode, connections], stores, is_first=len(runs) == 1)
    print_figures(history, stores)
    before, after = history[0], history[-1]
    with open(options.acknowledged, "w") as file:
        for store in stores:
            print(store, before[store]["orders"] + after[store]["answers"].get("201", 0), file=file)


class Server:
    def __init__(self, address, catalogue):
        self.address = address
        self.catalogue = catalogue
        self.first_orders = self.figures()["coredata"]["orders"]

    def figures(self):
        try:
            with urllib.request.urlopen(f"{self.address}/figures", timeout=60) as answer:
                return json.load(answer)
        except OSError as error:
            raise Failure(f"the server does not give its figures: {error}") from error

    def idle_figures(self):
        """The figures after the server has answered all requests. wrk leaves requests behind when its time is up, and their
        processor time does not belong to the next run."""
        figures = self.figures()
        for _ in range(100):
            time.sleep(0.2)
            earlier, figures = figures, self.figures()
            if all(figures[store]["answers"] == earlier[store]["answers"] for store in STORES):
                return figures
        raise Failure("the server goes on answering 20 s after the load")

    def run(self, store, mode, connections, seconds, name):
        """Runs wrk once; returns requests per second, latencies and processor time in microseconds."""
        before = self.figures()
        command = ["wrk", "--threads", str(min(2, connections)), "--connections", str(connections)]
        command += ["--duration", f"{seconds}s", "--timeout", "10s", "--script", str(REQUESTS), self.address]
        command += ["--", mode, f"/{store}", name, str(self.first_orders), self.catalogue]
        output = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60)
        line = next((line for line in output.stdout.splitlines() if line.startswith("RESULT ")), None)
        where = f"{mode}, {connections} connections, {store}"
        if output.returncode != 0 or line is None:
            raise Failure(f"{where}: wrk failed:\n{output.stdout}{output.stderr}")
        requests, microseconds, median, late, refused, lost = map(int, line.split()[1:])
        after = self.idle_figures()
        answers = {
            status: count - before[store]["answers"].get(status, 0)
            for status, count in after[store]["answers"].items()
            if count != before[store]["answers"].get(status, 0)
        }
        # The answers may include a slow one of the previous run. wrk has counted any other error.
        if refused or lost or not requests or set(answers) - {"200", "201"}:
            raise Failure(
                f"{where}: of {requests} requests {refused} were answered by an error and {lost} not at all; "
                f"the server's answers by status: {answers}"
            )
        expected = {"create": ["201"], "mixed": ["200", "201"]}.get(mode, ["200"])
        if sum(answers.get(status, 0) for status in expected) < requests:
            raise Failure(f"{where}: wrk had {requests} answers, the server knows of {answers}")
        return {
            "rate": requests * 1e6 / microseconds,
            "median": median,
            "late": late,
            "processor": (after["processorMicroseconds"] - before["processorMicroseconds"])
            / sum(answers.values()),
            "figures": after,
        }


def print_row(mode, connections, runs, stores, is_first):
    """Prints medians of all rounds. A ratio above 1 is in favor of coredata for the rate, and of grdb for the other figures."""
    columns = "".join(f"{store:>9}" for store in stores) + (f"{'ratio':>6}" if len(stores) > 1 else "")
    if is_first:
        width = len(columns)
        print(f"{'':16}{'requests/s':>{width}}{'p50 ms':>{width}}{'p99 ms':>{width}}{'processor µs/request':>{width + 2}}")
        print(f"{'connections':>15} {columns}{columns}{columns}{'':2}{columns}", flush=True)
    row = f"{mode:8}{connections:>7} "
    for key, scale, digits in [("rate", 1, 0), ("median", 1e3, 2), ("late", 1e3, 2), ("processor", 1, 0)]:
        medians = [statistics.median(run[key] for run in runs[store]) / scale for store in stores]
        row += "  " * (key == "processor") + "".join(f"{median:9.{digits}f}" for median in medians)
        if len(medians) > 1:
            row += f"{medians[0] / max(medians[1], 1e-9):6.2f}"
    print(row, flush=True)


def print_figures(history, stores):
    """Prints the resource usage of the process before the runs, after each quarter of them, and at most."""
    shown = [history[(len(history) - 1) * quarter // 4] for quarter in range(5)]

    def row(name, get, scale=1):
        figures = "".join(f"{get(figures) / scale:11.1f}" for figures in shown)
        print(f"{name:28}{figures}{max(map(get, history)) / scale:11.1f}")

    titles = ["before", "a quarter", "a half", "3 quarters", "after", "at most"]
    print(f"\n{'':28}{''.join(f'{title:>11}' for title in titles)}")
    row("memory, MB", lambda figures: figures["residentBytes"], 1e6)
    row("open files", lambda figures: figures["openFiles"])
    row("threads", lambda figures: figures["threads"])
    for store in stores:
        row(f"{store}: orders", lambda figures: figures[store]["orders"])
        row(f"{store}: file, MB", lambda figures: figures[store]["fileBytes"], 1e6)
        row(f"{store}: log, MB", lambda figures: figures[store]["logBytes"], 1e6)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
