"""A server that requires an encrypted connection and a password, and the ways to connect to it."""

import os
import pathlib
import shutil
import subprocess
import uuid

from programs import Wrong

PASSWORD = "Geheim-7391"
HOST = "right.example"


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def certify(folder):
    """Makes two certificate authorities, and a certificate for one host, signed by the first authority."""
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for name in ["authority", "other"]:
        openssl("req", "-x509", *new_key, "-subj", f"/CN={name}", "-days", 2,
                "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.crt")
    openssl("req", *new_key, "-subj", f"/CN={HOST}", "-keyout", folder / "server.key", "-out", folder / "server.csr")
    (folder / "names").write_text(f"subjectAltName=DNS:{HOST}\n")
    openssl("x509", "-req", "-in", folder / "server.csr", "-CA", folder / "authority.crt", "-CAkey",
            folder / "authority.key", "-CAcreateserial", "-days", 2, "-extfile", folder / "names",
            "-out", folder / "server.crt")


def guard(server, folder):
    certify(folder)
    data = pathlib.Path(server.data)
    for name in ["server.crt", "server.key"]:
        shutil.copy(folder / name, data / name)
        os.chmod(data / name, 0o600)
        if os.getuid() == 0:
            shutil.chown(data / name, "postgres", "postgres")
    rules = (data / "pg_hba.conf").read_text()
    (data / "pg_hba.conf").write_text(
        f"hostssl all guarded 127.0.0.1/32 scram-sha-256\nhost all guarded 127.0.0.1/32 reject\n{rules}"
    )
    server.ask(f"CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
    server.ask("ALTER SYSTEM SET ssl = on")
    server.kill()
    server.start()


def reach(programs, server):
    """Certificates are checked, passwords are read from the right places, and no message contains a password."""
    folder = pathlib.Path(server.folder)
    guard(server, folder)
    place = f"{HOST}:{server.port}"
    (folder / "passwords").write_text(f"{place}:*:guarded:{PASSWORD}\n")
    os.chmod(folder / "passwords", 0o600)
    (folder / "services").write_text(
        f"[shop]\nhost={HOST}\nhostaddr=127.0.0.1\nport={server.port}\nuser=guarded\ndbname=postgres\n"
        f"password={PASSWORD}\nsslmode=verify-full\nsslrootcert={folder}/authority.crt\n"
    )
    known = {"PGPASSWORD": PASSWORD}

    def url(host=HOST, authority="authority", mode="verify-full", user="guarded"):
        return (f"postgresql://{user}@{host}:{server.port}/postgres?hostaddr=127.0.0.1&sslmode={mode}"
                f"&sslrootcert={folder}/{authority}.crt")

    # The URL, the environment, and a word of the refusal; None if the server accepts the connection.
    attempts = [
        (url(), known, None),
        (url(), {"PGPASSFILE": f"{folder}/passwords"}, None),
        ("postgresql://?service=shop", {"PGSERVICEFILE": f"{folder}/services"}, None),
        (url(host="wrong.example"), known, "certificate"),
        (url(authority="other"), known, "certificate"),
        (url(authority="nobody"), known, "certificate"),
        (url(mode="disable"), known, "no encryption"),
        (url(), {"PGPASSWORD": f"not {PASSWORD}"}, "password authentication failed"),
        (url(), {}, "no password supplied"),
        (url(user=f"guarded:{PASSWORD}"), {}, "The URL has a password"),
        (url() + f"&password={PASSWORD}", {}, "The URL has a password"),
    ]
    for address, environment, refusal in attempts:
        address += f"&schema=s_{uuid.uuid4().hex}"
        cleared = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
        done = subprocess.run([*programs.prefix, programs.path, "count", address, "0"], capture_output=True,
                              text=True, env={"PGPASSFILE": "/dev/null", **cleared, **environment})
        said = done.stdout + done.stderr
        shown = address.replace(PASSWORD, "…")
        if (done.returncode == 0) != (refusal is None) or (refusal and refusal not in said):
            raise Wrong(f"{shown} with {sorted(environment)}: {said.replace(PASSWORD, '…')}")
        if PASSWORD in said:
            raise Wrong(f"{shown} with {sorted(environment)} tells the password")
    return f"{len(attempts)} ways to reach a server that is guarded, as each has to end; no message has the password"
