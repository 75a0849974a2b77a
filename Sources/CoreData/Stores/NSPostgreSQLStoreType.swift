/// A PostgreSQL database, which several machines can share.
///
/// The URL of the store is the URL of the database: `postgresql://user@host/database?schema=shop`. The tables of
/// a store are in one schema, `perennial` unless the URL names another. The password comes from `PGPASSWORD`,
/// from `~/.pgpass`, from a service file or from ``PostgreSQLPasswordOption``, and never from the URL.
///
/// ```swift
/// let description = NSPersistentStoreDescription()
/// description.type = NSPostgreSQLStoreType
/// description.url = URL(string: "postgresql://shop@db.example.com/shop")
/// ```
///
/// Such stores are in a program whose target has the product `CoreDataPostgreSQL`, and whose package depends on this one with
/// the trait `PostgreSQL`.
///
/// Perennial's own: Apple's framework has no store that several machines share.
public let NSPostgreSQLStoreType = "PostgreSQL"

/// The option for the password with which a store in PostgreSQL connects: a text. It is in no error, no log and
/// no notification.
///
/// Perennial's own.
public let PostgreSQLPasswordOption = "PerennialPostgreSQLPassword"
