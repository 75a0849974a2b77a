"""Does the work of the benchmarks with SQLAlchemy and Django's mapper, on the files that its input names.

The first line of output names the installed mappers with their versions. Each input line names a mapper, a kind of
work, the number of objects, the number of rows in the file, and the file. The answer has the processor time of the work
in seconds and the sum of the read values. The preparation of the work is not timed, such as the connection and the
objects to change.
"""

import importlib
import platform
import sys
import time

COLUMNS = [f"a{column}" for column in range(10)]
PEOPLE = 100_000


def values(row):
    return {name: row * 10 + column for column, name in enumerate(COLUMNS)}


def keys(count, rows):
    return [number * 19 % rows + 1 for number in range(count)]


def names(count):
    return [f"name {number * 7 % PEOPLE}" for number in range(count)]


def total(sample):
    return (
        sample.a0 + sample.a1 + sample.a2 + sample.a3 + sample.a4
        + sample.a5 + sample.a6 + sample.a7 + sample.a8 + sample.a9
    )


def timed(work):
    start = time.process_time()
    result = work()
    return time.process_time() - start, result or 0


class SQLAlchemy:
    def __init__(self):
        import sqlalchemy
        from sqlalchemy import BigInteger, String, orm

        self.sqlalchemy, self.orm = sqlalchemy, orm
        self.version = sqlalchemy.__version__

        class Base(orm.DeclarativeBase):
            pass

        def column(name, kind=BigInteger, **options):
            return orm.mapped_column(name, kind, **options)

        def mapped(name, table, columns):
            own = {
                "__tablename__": table,
                "key": column("Z_PK", sqlalchemy.Integer, primary_key=True),
                "entity": column("Z_ENT"),
                "version": column("Z_OPT"),
            }
            return type(name, (Base,), own | columns)

        self.Sample = mapped("Sample", "ZSAMPLE", {name: column(f"Z{name.upper()}") for name in COLUMNS})
        self.Person = mapped("Person", "ZPERSON", {"age": column("ZAGE"), "name": column("ZNAME", String)})

    def run(self, work, count, rows, path):
        engine = self.sqlalchemy.create_engine(f"sqlite:///{path}")
        try:
            with self.orm.Session(engine) as session:
                session.execute(self.sqlalchemy.text("PRAGMA synchronous = NORMAL"))
                session.commit()
                return getattr(self, work)(session, count, rows)
        finally:
            engine.dispose()

    def all(self, session):
        return session.scalars(self.sqlalchemy.select(self.Sample)).all()

    def fetch(self, session, count, rows):
        return timed(lambda: sum(total(sample) for sample in self.all(session)))

    def insert(self, session, count, rows):
        def work():
            session.add_all([self.Sample(entity=1, version=1, **values(row)) for row in range(count)])
            session.commit()

        return timed(work)

    def change(self, session, count, rows):
        samples = self.all(session)

        def work():
            for row, sample in enumerate(samples):
                sample.a0 = row + 7
                sample.version += 1
            session.commit()

        return timed(work)

    def delete(self, session, count, rows):
        samples = self.all(session)

        def work():
            for sample in samples:
                session.delete(sample)
            session.commit()

        return timed(work)

    def key(self, session, count, rows):
        wanted = keys(count, rows)
        return timed(lambda: sum(total(session.get(self.Sample, key)) for key in wanted))

    def index(self, session, count, rows):
        wanted = names(count)
        people = self.sqlalchemy.select(self.Person)

        def work():
            return sum(session.scalars(people.where(self.Person.name == name)).one().age for name in wanted)

        return timed(work)


class Django:
    def __init__(self):
        import django
        from django.conf import settings

        self.version = django.get_version()
        database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
        settings.configure(DATABASES={"default": database}, DEBUG=False, USE_TZ=True)
        django.setup()
        from django.db import connection, models, transaction

        self.connection, self.transaction = connection, transaction

        def mapped(name, table, columns):
            own = {
                "__module__": __name__,
                "Meta": type("Meta", (), {"app_label": "benchmarks", "db_table": table, "managed": False}),
                "key": models.BigAutoField(primary_key=True, db_column="Z_PK"),
                "entity": models.BigIntegerField(db_column="Z_ENT"),
                "version": models.BigIntegerField(db_column="Z_OPT"),
            }
            return type(name, (models.Model,), own | columns)

        integers = {name: models.BigIntegerField(db_column=f"Z{name.upper()}") for name in COLUMNS}
        self.Sample = mapped("Sample", "ZSAMPLE", integers)
        person = {
            "age": models.BigIntegerField(db_column="ZAGE"),
            "name": models.TextField(db_column="ZNAME"),
        }
        self.Person = mapped("Person", "ZPERSON", person)

    def run(self, work, count, rows, path):
        self.connection.close()
        self.connection.settings_dict["NAME"] = path
        try:
            with self.connection.cursor() as cursor:
                cursor.execute("PRAGMA synchronous = NORMAL")
            return getattr(self, work)(count, rows)
        finally:
            self.connection.close()

    def fetch(self, count, rows):
        return timed(lambda: sum(total(sample) for sample in list(self.Sample.objects.all())))

    def insert(self, count, rows):
        def work():
            samples = [self.Sample(entity=1, version=1, **values(row)) for row in range(count)]
            with self.transaction.atomic():
                self.Sample.objects.bulk_create(samples)

        return timed(work)

    def change(self, count, rows):
        samples = list(self.Sample.objects.all())

        def work():
            with self.transaction.atomic():
                for row, sample in enumerate(samples):
                    sample.a0 = row + 7
                    sample.version += 1
                    sample.save(update_fields=["a0", "version"])

        return timed(work)

    def delete(self, count, rows):
        samples = list(self.Sample.objects.all())

        def work():
            with self.transaction.atomic():
                for sample in samples:
                    sample.delete()

        return timed(work)

    def key(self, count, rows):
        wanted = keys(count, rows)
        return timed(lambda: sum(total(self.Sample.objects.get(pk=key)) for key in wanted))

    def index(self, count, rows):
        wanted = names(count)
        return timed(lambda: sum(self.Person.objects.get(name=name).age for name in wanted))


def installed():
    mappers = {}
    for mapper, module in [(SQLAlchemy, "sqlalchemy"), (Django, "django")]:
        try:
            importlib.import_module(module)
        except ImportError:
            continue
        mappers[mapper.__name__] = mapper()
    return mappers


def main():
    mappers = installed()
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{name} {mapper.version}" for name, mapper in mappers.items()]
    print(";".join(versions), flush=True)
    for line in sys.stdin:
        name, work, count, rows, path = line.rstrip("\n").split(" ", 4)
        try:
            seconds, result = mappers[name].run(work, int(count), int(rows), path)
            answer = f"{seconds} {result}"
        except Exception as error:  # The other lines still run.
            answer = " ".join(f"failed: {error!r}".split())
        print(answer, flush=True)


main()
