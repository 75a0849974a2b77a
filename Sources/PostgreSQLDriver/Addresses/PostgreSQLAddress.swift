#if PostgreSQL
  /// The address of a database, as a URL of libpq names it, and the schema in it.
  ///
  /// With `service=`, the parameters that the URL does not set come from the service file. See
  /// <https://www.postgresql.org/docs/current/libpq-connect.html>.
  package struct PostgreSQLAddress: Sendable, Hashable {
    /// The name of the schema, from `?schema=`; `perennial` unless given.
    package let schema: String
    /// What is not to be used of the server, from `?without=`: names with commas between them.
    package let unused: [String]
    /// The parameters of the connection by libpq's key words.
    package let parameters: [String: String]
    private let url: String
    private var secret = PostgreSQLSecret()

    /// Reads a URL such as `postgresql://user@host:5432/database?schema=name`.
    ///
    /// The server's certificate is verified, unless the URL has a parameter `sslmode` or all its hosts
    /// are of this machine: loopback addresses, sockets, or none.
    ///
    /// - Throws: a ``PostgreSQLAddressError`` with a sentence and a remedy.
    package init(_ url: String) throws {
      let parts = try PostgreSQLURL(url)
      var parameters = try parts.parameters()
      if parameters["service"] == nil {
        let hosts = PostgreSQLHosts(parameters)
        if !hosts.isEmpty, !hosts.areLocal {
          parameters.merge([PostgreSQLHosts.encryption: PostgreSQLHosts.verification]) { given, _ in given }
        }
        parameters.merge(PostgreSQLHosts.defaults) { given, _ in given }
      }
      self.url = url
      schema = parts.schema ?? "perennial"
      unused = parts.unused
      self.parameters = parameters
    }

    /// The password, if it does not come from the URL. With `nil`, libpq looks for a password in `PGPASSWORD`, a
    /// password file or a service file: <https://www.postgresql.org/docs/current/libpq-pgpass.html>.
    package var password: String? {
      get { secret.text }
      set { secret.text = newValue }
    }
  }

  extension PostgreSQLAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without the password.
    package var description: String { url }
    package var debugDescription: String { description }
    /// The description alone.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
  }

  /// A password, which descriptions never contain.
  private struct PostgreSQLSecret: Sendable, Hashable {
    var text: String?
  }

  extension PostgreSQLSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { text == nil ? "none" : "hidden" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
  }
#endif
