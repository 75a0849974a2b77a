#if PostgreSQL
  import CPostgreSQL
  import Foundation

  /// Makes a connection, by a deadline.
  struct PostgreSQLOpening {
    private static let timeout = "connect_timeout"
    private static let sessions = "target_session_attrs"
    /// The time after which the next of several hosts is tried if there is no deadline.
    private static let turn = Duration.seconds(10)

    private let deadline: ContinuousClock.Instant?
    private let parameters: [String: String]
    /// The parameters with those of the environment and a service file.
    private let effective: [String: String]

    init(_ address: PostgreSQLAddress, applicationName: String, deadline: ContinuousClock.Instant?) throws {
      self.deadline = deadline
      var parameters = address.parameters
      parameters.merge(["application_name": applicationName]) { given, _ in given }
      parameters["client_encoding"] = "UTF8"
      if let password = address.password { parameters["password"] = password }
      if parameters.values.contains(where: { $0.utf8.contains(0) }) {
        throw Self.failure("The name of the application or the password has a character U+0000.")
      }
      effective = Self.effective(parameters)
      self.parameters = Self.completed(parameters, effective: effective)
    }

    /// Connects to the first host that accepts.
    func open() throws -> OpaquePointer {
      // An order of preference among the hosts is libpq's own.
      let isPreferring = effective[Self.sessions] == "prefer-standby"
      var hosts = isPreferring ? [[:]] : PostgreSQLHosts(effective).each
      if effective["load_balance_hosts"] == "random" { hosts.shuffle() }
      var failures: [PostgreSQLError] = []
      for (index, host) in hosts.enumerated() {
        do {
          return try connect(parameters.merging(host) { $1 }, until: limit(hostsLeft: hosts.count - index))
        } catch let error as PostgreSQLError {
          failures.append(error)
        }
      }
      if failures.count == 1 { throw failures[0] }
      // One that may take connections later is worth the wait for all.
      let isForGood = failures.allSatisfy(\.isRefusedForGood)
      let refusal = failures.first { isForGood || $0.isServerNotReady }?.refusal
      throw Self.failure(
        failures.map(\.message).joined(separator: " "),
        refusal: refusal,
        hint: failures.lazy.compactMap(\.hint).first,
        isTimeout: failures.last?.isTimeout ?? false
      )
    }

    // MARK: - Parameters

    /// Asks libpq for what it takes from elsewhere. A value that it refuses keeps it from connecting.
    private static func effective(_ parameters: [String: String]) -> [String: String] {
      let handle = start(parameters.merging(["channel_binding": "?"]) { $1 })
      defer { PQfinish(handle) }
      guard let options = PQconninfo(handle) else { return parameters }
      defer { PQconninfoFree(options) }
      return PostgreSQLURL.values(of: options).filter { $0.key != "password" && !$0.value.isEmpty }
    }

    /// The parameters with the defaults for those that neither the URL nor the service file nor the environment sets.
    private static func completed(_ parameters: [String: String], effective: [String: String]) -> [String: String] {
      let usual = usualValues()
      func isGiven(_ key: String) -> Bool {
        parameters[key] != nil || (effective[key] != nil && effective[key] != usual[key])
      }
      var completed = parameters
      for (key, value) in PostgreSQLHosts.defaults where !isGiven(key) { completed[key] = value }
      if !isGiven(PostgreSQLHosts.encryption), !PostgreSQLHosts(effective).areLocal {
        completed[PostgreSQLHosts.encryption] = PostgreSQLHosts.verification
      }
      return completed
    }

    /// The values that libpq uses by default.
    private static func usualValues() -> [String: String] {
      guard let options = PQconninfoParse("", nil) else { return [:] }
      defer { PQconninfoFree(options) }
      var values: [String: String] = [:]
      var option = options
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.compiled { values[String(cString: keyword)] = String(cString: value) }
        option += 1
      }
      return values
    }

    /// The time by which a host must have answered: each host has its share of the remaining time.
    private func limit(hostsLeft: Int) -> ContinuousClock.Instant? {
      let now = ContinuousClock.now
      var limits: [ContinuousClock.Instant] = []
      if let deadline { limits.append(now + (deadline - now) / hostsLeft) }
      let timeout = parameters[Self.timeout] ?? effective[Self.timeout]
      if let seconds = timeout.flatMap({ Int($0) }), seconds > 0 {
        limits.append(now + .seconds(seconds))
      }
      if limits.isEmpty, hostsLeft > 1 { limits.append(now + Self.turn) }
      return limits.min()
    }

    // MARK: - Connecting

    private static func start(_ parameters: [String: String]) -> OpaquePointer? {
      var (keys, values): ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) = ([], [])
      defer { for copy in keys + values { free(UnsafeMutablePointer(mutating: copy)) } }
      for (key, value) in parameters {
        keys.append(UnsafePointer(strdup(key)))
        values.append(UnsafePointer(strdup(value)))
      }
      keys.append(nil)
      values.append(nil)
      return PQconnectStartParams(keys, values, 0)
    }

    private func connect(
      _ parameters: [String: String],
      until limit: ContinuousClock.Instant?
    ) throws -> OpaquePointer {
      if let deadline, deadline <= .now {
        throw Self.failure("The deadline had passed before the server was connected to.", isTimeout: true)
      }
      guard let handle = Self.start(parameters) else { throw Self.failure("There is no memory for a connection.") }
      // Notices are dropped. The connection looks for one of them when it is open.
      _ = PQsetNoticeReceiver(handle, { _, _ in }, nil)
      _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
      // A refusal has no fields that could be asked for, but then a text with the state.
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      do {
        try finish(handle, until: limit)
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        return handle
      } catch {
        PQfinish(handle)
        throw error
      }
    }

    private func finish(_ handle: OpaquePointer, until limit: ContinuousClock.Instant?) throws {
      var state = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
      while state != PGRES_POLLING_OK {
        if state == PGRES_POLLING_FAILED { throw refusal(handle) }
        let events: PostgreSQLSocket.Events = state == PGRES_POLLING_READING ? .reading : .writing
        if PostgreSQLSocket.wait([(PQsocket(handle), events)], until: limit).isEmpty {
          throw Self.failure(
            "\(Self.place(handle)) has not answered in time.",
            hint: "See that the server runs and can be reached, or give it more time.",
            isTimeout: true
          )
        }
        state = PQconnectPoll(handle)
      }
      if PQsetnonblocking(handle, 1) != 0 { throw refusal(handle) }
    }

    private static func place(_ handle: OpaquePointer) -> String {
      let host = PQhost(handle).map { String(cString: $0) } ?? ""
      let port = PQport(handle).map { String(cString: $0) } ?? ""
      return host.isEmpty ? "The server" : "The server at \(host), port \(port),"
    }

    /// The message of libpq, with a remedy for failures that are not caused by the server.
    private func refusal(_ handle: OpaquePointer) -> PostgreSQLError {
      let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
      let (message, state) = Self.withoutState(text)
      var hint: String?
      if PQconnectionNeedsPassword(handle) != 0 {
        hint = "Give the password by PGPASSWORD, ~/.pgpass, a service file, or the store's option for it."
      } else if parameters[PostgreSQLHosts.encryption] == PostgreSQLHosts.verification,
        message.contains("SSL") || message.contains("certificate")
      {
        hint = """
          The server has to prove by a certificate that it is the one. Name the authority of the certificate \
          by sslrootcert= in the URL, or ask for less by sslmode=.
          """
      }
      return Self.failure("No connection could be made: \(message)", refusal: state, hint: hint)
    }

    /// Takes the state, and the place in the server's source, out of a refusal.
    private static func withoutState(_ text: String) -> (message: String, state: String?) {
      var (lines, state): ([Substring], String?) = ([], nil)
      for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("LOCATION:  ") {
        // As in "FATAL:  57P03: the database system is starting up", whose first word may be translated.
        guard let mark = line.firstRange(of: ":  "), let end = line[mark.upperBound...].firstRange(of: ": "),
          line[mark.upperBound..<end.lowerBound].utf8.count == 5
        else {
          lines.append(line)
          continue
        }
        state = String(line[mark.upperBound..<end.lowerBound])
        lines.append(line[..<mark.upperBound] + line[end.upperBound...])
      }
      return (PostgreSQLError.sentence(lines.joined(separator: "\n")), state)
    }

    private static func failure(
      _ message: String,
      refusal: String? = nil,
      hint: String? = nil,
      isTimeout: Bool = false
    ) -> PostgreSQLError {
      PostgreSQLError(state: "08001", refusal: refusal, message: message, hint: hint, isTimeout: isTimeout)
    }
  }
#endif
