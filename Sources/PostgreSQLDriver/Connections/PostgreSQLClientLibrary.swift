#if PostgreSQL
  import CPostgreSQL

  /// The library by which servers are spoken to.
  package enum PostgreSQLClientLibrary {
    /// The version of libpq that this process has loaded, such as `17.2`.
    package static var version: String {
      // Since PostgreSQL 10 the version has two numbers, the last of which has four digits:
      // <https://www.postgresql.org/docs/current/libpq-misc.html>.
      let number = PQlibVersion()
      return "\(number / 10_000).\(number % 10_000)"
    }
  }
#endif
