#if PostgreSQL
  import Foundation

  /// The hosts of a connection's parameters, and their effect on the other parameters.
  struct PostgreSQLHosts {
    /// The key word of the parameter that says how a connection is encrypted.
    static let encryption = "sslmode"
    /// Its value for a connection that is encrypted to a server that proves to be the one.
    static let verification = "verify-full"
    /// The defaults. A connection is lost when the server has not acknowledged sent data for 10 seconds.
    /// A client that waits for an answer notices a lost connection after 20 seconds. A host that does not
    /// answer a connection attempt for 5 seconds is treated as unreachable.
    static let defaults = [
      "target_session_attrs": "read-write", "tcp_user_timeout": "10000", "keepalives_idle": "10",
      "keepalives_interval": "3", "keepalives_count": "3", "connect_timeout": "5",
    ]

    /// The lists of names, addresses and ports, of which each may be empty.
    private let names, addresses, ports: [String]

    init(_ parameters: [String: String]) {
      func list(_ key: String) -> [String] {
        guard let text = parameters[key], !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
      }
      names = list("host")
      addresses = list("hostaddr")
      ports = list("port")
    }

    /// True where the parameters name no host, and libpq takes the machine's socket or `PGHOST`.
    var isEmpty: Bool { names.isEmpty && addresses.isEmpty }

    /// True when all hosts are on this machine.
    var areLocal: Bool {
      (0..<max(names.count, addresses.count)).allSatisfy { index in
        let address = index < addresses.count ? addresses[index] : ""
        return Self.isLocal(address.isEmpty && index < names.count ? names[index] : address)
      }
    }

    /// The parameters for each host. There is one empty set for a single host, and for lists of different
    /// lengths, which libpq refuses.
    var each: [[String: String]] {
      let count = max(names.count, addresses.count)
      let areMatching = [names.count, addresses.count].allSatisfy { $0 == 0 || $0 == count }
      guard count > 1, areMatching, ports.count <= 1 || ports.count == count else { return [[:]] }
      return (0..<count).map { index in
        var parameters: [String: String] = [:]
        if !names.isEmpty { parameters["host"] = names[index] }
        if !addresses.isEmpty { parameters["hostaddr"] = addresses[index] }
        if ports.count == count { parameters["port"] = ports[index] }
        return parameters
      }
    }

    private static func isLocal(_ host: String) -> Bool {
      // A folder or an abstract name means a socket, and libpq uses a socket if there is no host:
      // <https://www.postgresql.org/docs/current/libpq-connect.html>.
      if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") { return true }
      if host.lowercased() == "localhost" { return true }
      var address = in_addr()
      if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
      var longAddress = in6_addr()
      guard inet_pton(AF_INET6, host, &longAddress) == 1 else { return false }
      return withUnsafeBytes(of: longAddress) { bytes in
        bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
      }
    }
  }
#endif
