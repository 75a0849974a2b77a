import Foundation

/// A client that requests pages from one server one after the other, on one connection, with little overhead.
final class HTTPClient {
  /// The answer to a request.
  struct Page {
    let status: Int
    /// The name and value of the cookie that the answer sets.
    let cookie: String?
    let text: String
  }

  var cookie: String?
  /// The path at which the server's pages are, without a slash at its end.
  var base = ""
  private let port: Int
  private var connection: Int32 = -1
  private var buffer: [UInt8] = []

  init(port: Int) { self.port = port }

  deinit { disconnect() }

  /// - Parameter path: a path below ``base``, with or without it.
  /// - Throws: an error if no server listens, or the answer is not HTTP.
  func get(_ path: String) throws -> Page {
    let path = path.hasPrefix("\(base)/") ? path : base + path
    // The server may have closed an idle connection.
    if connection >= 0, let page = try? exchange(path) { return page }
    disconnect()
    connection = try Self.connected(to: port)
    do {
      return try exchange(path)
    } catch {
      disconnect()
      throw error
    }
  }

  /// A port on which no process listens.
  static func freePort() throws -> Int {
    let socket = try makeSocket()
    defer { close(socket) }
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 ? getsockname(socket, pointer, &length) : -1
      }
    }
    guard result == 0 else { throw failure("no port is free") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  // MARK: - The connection

  private static func makeSocket() throws -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let socket = socket(AF_INET, kind, 0)
    guard socket >= 0 else { throw failure("no connection can be made") }
    return socket
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func connected(to port: Int) throws -> Int32 {
    let socket = try makeSocket()
    var address = loopback(port: port)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(socket)
      throw failure("nobody listens on port \(port)")
    }
    return socket
  }

  private func disconnect() {
    if connection >= 0 { close(connection) }
    connection = -1
    buffer = []
  }

  // MARK: - A request and its answer

  private func exchange(_ path: String) throws -> Page {
    var request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: text/html\r\n"
    if let cookie { request += "Cookie: \(cookie)\r\n" }
    try send(Array("\(request)\r\n".utf8))
    let head = String(decoding: try read(until: Array("\r\n\r\n".utf8)), as: UTF8.self)
    let lines = head.components(separatedBy: "\r\n")
    let fields = Dictionary(
      lines.dropFirst().compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (line[..<colon].lowercased(), value)
      },
      uniquingKeysWith: { first, _ in first }
    )
    guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Self.failure("\(path) is answered by no page: \(lines[0])")
    }
    let body = try body(fields)
    if fields["connection"]?.lowercased() == "close" { disconnect() }
    return Page(
      status: status,
      cookie: fields["set-cookie"]?.components(separatedBy: ";").first,
      text: String(decoding: body, as: UTF8.self)
    )
  }

  private func body(_ fields: [String: String]) throws -> [UInt8] {
    if let length = fields["content-length"].flatMap({ Int($0) }) { return try read(count: length) }
    guard fields["transfer-encoding"]?.lowercased() == "chunked" else {
      throw Self.failure("an answer does not say how long it is")
    }
    let end = Array("\r\n".utf8)
    var body: [UInt8] = []
    while true {
      let line = String(decoding: try read(until: end).dropLast(end.count), as: UTF8.self)
      guard let count = Int(line.prefix { $0.isHexDigit }, radix: 16) else {
        throw Self.failure("an answer has a chunk of length \(line)")
      }
      body += try read(count: count)
      _ = try read(count: end.count)
      if count == 0 { return body }
    }
  }

  private func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Self.failure("the server has closed the connection") }
      sent += count
    }
  }

  private func read(until end: [UInt8]) throws -> [UInt8] {
    var searched = 0
    while true {
      if buffer.count >= end.count {
        for start in searched...buffer.count - end.count
        where buffer[start..<start + end.count].elementsEqual(end) {
          return take(start + end.count)
        }
        searched = buffer.count - end.count + 1
      }
      try fill()
    }
  }

  private func read(count: Int) throws -> [UInt8] {
    while buffer.count < count { try fill() }
    return take(count)
  }

  private func take(_ count: Int) -> [UInt8] {
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func fill() throws {
    let room = 65_536
    let piece = [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
      count = max(0, Foundation.read(connection, bytes.baseAddress, room))
    }
    guard !piece.isEmpty else { throw Self.failure("the server has closed the connection") }
    buffer += piece
  }

  private static func failure(_ text: String) -> BenchmarkFailure { BenchmarkFailure(description: text) }
}
