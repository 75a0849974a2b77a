import Foundation

/// A port of this machine whose queue of connections is full, so that further connections are never established.
final class FullPort {
  private let listener: Int32
  private let port: UInt16
  private let connections: [Int32]

  init() throws {
    let listener = Self.makeSocket()
    guard Self.call(bind, listener, port: 0), listen(listener, 0) == 0 else { throw POSIXError(.EADDRINUSE) }
    let port = Self.port(of: listener)
    // A queue of length 0 holds one connection: listen(2). The other connections keep trying.
    connections = (0..<4).map { _ in Self.beginConnection(port: port) }
    self.listener = listener
    self.port = port
  }

  /// A socket that tries to connect to the port, and that the caller closes.
  func beginConnection() -> Int32 { Self.beginConnection(port: port) }

  private static func beginConnection(port: UInt16) -> Int32 {
    let connection = makeSocket()
    _ = call(connect, connection, port: port)
    return connection
  }

  deinit {
    for descriptor in connections + [listener] { close(descriptor) }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/seed.json") ?? URL(fileURLWithPath: "/") }

  /// True while a client in this process tries to connect to the port.
  ///
  /// A child that is about to execute its program still has copies of the sockets that this process has closed. Such a socket
  /// stays in the kernel's table, and is not the client's any more.
  var isTried: Bool {
    let remote = String(format: "0100007F:%04X", port)
    let sockets = clientSockets()
    return Self.connections().split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      // TCP_SYN_SENT of the kernel's include/net/tcp_states.h is 02.
      return fields.count > 9 && fields[2] == remote && fields[3] == "02" && sockets.contains(fields[9])
    }
  }

  /// The inodes of the sockets of this process, without those of this object: proc_pid_fd(5).
  private func clientSockets() -> Set<Substring> {
    let folder = "/proc/self/fd"
    var inodes: Set<Substring> = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard let descriptor = Int32(name), !connections.contains(descriptor),
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
        target.hasPrefix("socket:[")
      else { continue }
      inodes.insert(target.dropFirst("socket:[".count).dropLast())
    }
    return inodes
  }

  /// The kernel's table of connections: proc_pid_net(5). Foundation treats a short read as the end of a file, but this table
  /// is often read in parts.
  private static func connections() -> String {
    let file = open("/proc/self/net/tcp", O_RDONLY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var table: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &part, part.count), count > 0 { table += part[..<count] }
    return String(decoding: table, as: UTF8.self)
  }

  private static func makeSocket() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
  }

  /// The local port of a socket.
  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32,
    _ descriptor: Int32,
    port: UInt16
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
