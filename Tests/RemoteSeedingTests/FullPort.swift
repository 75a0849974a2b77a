import Foundation

/// A port of this machine whose queue of connections is full, so that none comes about.
final class FullPort {
  private let listener: Int32
  private let port: UInt16
  private var connections: [Int32] = []
  private var connectionsOfOwn = 0

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard Self.call(bind, listener, port: 0), listen(listener, 0) == 0 else { throw POSIXError(.EADDRINUSE) }
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    port = UInt16(bigEndian: address.sin_port)
    // A queue of length 0 holds one connection: listen(2). Those that find no room go on trying.
    for _ in 0..<4 {
      let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      _ = Self.call(connect, connection, port: port)
      connections.append(connection)
    }
    connectionsOfOwn = tryingCount
  }

  deinit {
    for descriptor in connections + [listener] { close(descriptor) }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/seed.json") ?? URL(fileURLWithPath: "/") }

  /// True while a client tries to connect.
  var isTried: Bool { tryingCount > connectionsOfOwn }

  /// The number of connections to the port that have not come about.
  private var tryingCount: Int {
    let remote = String(format: "0100007F:%04X", port)
    let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
    // TCP_SYN_SENT of the kernel's include/net/tcp_states.h is 02.
    return table.split(separator: "\n").filter { $0.contains(" \(remote) 02 ") }.count
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
