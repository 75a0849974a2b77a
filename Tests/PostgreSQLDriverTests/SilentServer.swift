#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  /// A socket on this machine that accepts connections and sends nothing.
  final class SilentServer: Sendable {
    let port: Int
    let socket: Int32

    init() throws {
      socket = try Self.makeSocket()
      var address = Self.address(0)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let number = socket
      let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(number, address, length) == 0 && listen(number, 16) == 0
            && getsockname(number, address, &length) == 0
        }
      }
      port = Int(UInt16(bigEndian: address.sin_port))
      try #require(isListening)
    }

    deinit { close(socket) }

    static func makeSocket() throws -> Int32 {
      #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
      #else
        let kind = SOCK_STREAM
      #endif
      let number = Foundation.socket(AF_INET, kind, 0)
      try #require(number >= 0)
      return number
    }

    /// The loopback address with a port.
    static func address(_ port: Int) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = UInt16(port).bigEndian
      return address
    }
  }

  /// A relay to a server on this machine. It can stop forwarding, as if the server's machine had gone away.
  final class Relay: Sendable {
    private let server: SilentServer
    private let sockets = Mutex<[Int32]>([])
    private let isPaused = Atomic(false)

    var port: Int { server.port }

    init(to place: (host: String, port: Int)) throws {
      server = try SilentServer()
      let (near, far) = try (server.socket, SilentServer.makeSocket())
      var address = SilentServer.address(place.port)
      let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          connect(far, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try #require(isConnected)
      sockets.withLock { $0.append(far) }
      // It relays one connection, so requests to cancel its statements get no answer.
      Thread.detachNewThread { [self] in
        let client = accept(near, nil, nil)
        sockets.withLock { $0.append(client) }
        Thread.detachNewThread { [self] in forward(far, client) }
        forward(client, far)
      }
    }

    /// Stops forwarding without notifying either end.
    func pause() { isPaused.store(true, ordering: .sequentiallyConsistent) }

    private func forward(_ source: Int32, _ destination: Int32) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(source, &bytes, bytes.count)
        if count <= 0 { break }
        if isPaused.load(ordering: .sequentiallyConsistent) { break }
        if write(destination, bytes, count) < 0 { break }
      }
    }

    deinit { sockets.withLock { for socket in $0 { close(socket) } } }
  }
#endif
