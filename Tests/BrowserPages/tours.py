"""A store of tours that has each kind of value, relationship and rule, and the recorded history of its changes."""

import contextlib
import json
import os
import pathlib
import sqlite3
import struct
import subprocess
import zlib

from browsed import PERENNIAL

MODEL = pathlib.Path(__file__).parent / "Tours.xcdatamodel"

# The unchanged text of a JSON value: with a key twice, a number with a final zero, and an escape.
DETAILS = '{"title":"Old town","a":1,"a":2,"price":1.10,"offset":-0,"name":"Caf\\u00e9","stops":[1,2,3],"open":null}'

# The tables of a history that has recorded nothing yet. The command adds the columns that depend on the model.
HISTORY = [
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
    "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)",
    "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
    "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
    "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB)",
    "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES "
    "(16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0), (16003, 'TRANSACTIONSTRING', 0, 0)",
]


def png(width, height, noise=False):
    """The bytes of a picture. Noise cannot be compressed, so that the picture is large."""
    rows = [b"\0" + (os.urandom(width * 3) if noise else bytes([40, 120, 90]) * width) for _ in range(height)]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(rows), 1)) + chunk(b"IEND", b"")


def seed():
    """The objects of the store, as `perennial seed` reads them."""
    sights = [{"name": f"Sight {n}"} for n in range(70)]
    sights[0].update(latitude=38.7223, longitude=-9.1393, page="https://example.com/lisbon")
    cafes = [{"name": f"Café {n}", "isOpen": n % 2 == 0} for n in range(8)]
    people = [{"name": name, "email": f"{name.lower()}@example.com"} for name in ["Ada", "Grace", "Idle"]]
    steps = [
        {"title": f"Stop {k + 1} of tour {n}", "minutes": 10 * k + n, "place": f"Sight {(n + k) % 60}"}
        for n in range(20)
        for k in range(5)
    ]
    tours = [
        {
            "name": f"Tour {n}",
            "rating": n % 6,
            "price": f"{n}.50",
            "startsOn": f"202{n % 5}-0{n % 9 + 1}-15T09:30:00Z",
            "isPublished": n % 2 == 0,
            "identifier": f"00000000-0000-0000-0000-0000000000{n:02}",
            "details": DETAILS if n == 0 else "A walk. " * (n * 40),
            "guide": ["Ada", "Grace"][n % 2],
            "steps": [step["title"] for step in steps[n * 5 : n * 5 + 5]],
        }
        for n in range(20)
    ]
    return {
        "Sight": sights,
        "Cafe": cafes,
        "Person": people,
        "Tour": tours,
        "Step": steps,
        "Bookmark": [{"note": "to be seen", "tour": "Tour 0"}],
    }


def load(store, contents, *options):
    """Loads objects into a store."""
    file = store.with_suffix(f".{len(list(store.parent.glob('*.json')))}.json")
    file.write_text(json.dumps(contents))
    command = [PERENNIAL, "seed", str(MODEL), str(file), "--store", str(store), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def statement(store, text, *values):
    """Returns the rows of a statement that another program executes."""
    with contextlib.closing(sqlite3.connect(store, timeout=600)) as database, database:
        return database.execute(text, values).fetchall()


def make(store, recorded=True):
    """Makes the store.

    The command records the changes of a store that has a history. The empty tables begin one.
    """
    load(store, {"Person": [{"name": "First"}]})
    if recorded:
        for text in HISTORY:
            statement(store, text)
    load(store, seed())
    load(store, {"Tour": [{"name": "Tour 1", "rating": 5}]})
    # Three sights have one name, which a seed would treat as one object.
    statement(store, "UPDATE ZPLACE SET ZNAME = 'Lisbon' WHERE ZNAME IN ('Sight 0', 'Sight 1', 'Sight 2')")
    # Pictures, a property list and bytes of no known kind, as other programs store them.
    statement(store, "UPDATE ZPLACE SET ZPHOTO = ? WHERE ZNAME = 'Lisbon'", png(320, 200))
    statement(store, "UPDATE ZPLACE SET ZPHOTO = ? WHERE ZNAME = 'Sight 5'", bytes(range(256)) * 3)
    statement(store, "UPDATE ZPLACE SET ZPHOTO = ? WHERE ZNAME = 'Sight 6'", DETAILS.encode())
