import Browser
import CoreData
import Dispatch
import Foundation
import Synchronization

/// A server of pages that a command runs until it is ended.
struct BrowserRun {
  /// The port where nobody asks for another: addresses, and what a browser keeps of them, stay good.
  private static let customaryPort = 8_737

  let coordinator: NSPersistentStoreCoordinator
  let name: String
  /// `nil` for the customary one.
  let port: Int?
  let opens: Bool
  var counterparts = StoreBrowser.Counterparts()
  let allowsWriting: Bool
  /// The file that keeps the address the same; `nil` for another address each time.
  var tokenFile: URL?

  func run() throws {
    guard port == nil else { return try serve(port ?? 0) }
    do {
      try serve(Self.customaryPort)
    } catch let failure as PortFailure where !failure.wasReady {
      try serve(0)
    }
  }

  /// An error of a server, and whether it had begun to serve.
  private struct PortFailure: Error {
    let cause: any Error
    let wasReady: Bool
  }

  private func serve(_ port: Int) throws {
    let server = try BrowserServer(
      coordinator,
      name: name,
      port: port,
      counterparts: counterparts,
      allowsWriting: allowsWriting,
      tokenFile: tokenFile
    )
    let opens = opens
    let (wasReady, outcome) = (Box(false), Box<(any Error)?>(nil))
    let end = DispatchSemaphore(value: 0)
    Task {
      do {
        try await server.run { address in
          wasReady.value.withLock { $0 = true }
          print("Browse the store at \(address.absoluteString)")
          print("End with Control-C.")
          // Who reads a pipe waits for the address.
          fflush(nil)
          if opens { WebBrowser.open(address) }
        }
      } catch {
        outcome.value.withLock { $0 = error }
      }
      end.signal()
    }
    end.wait()
    guard let error = outcome.value.withLock({ $0 }) else { return }
    let failure = PortFailure(cause: error, wasReady: wasReady.value.withLock { $0 })
    if self.port == nil, port != 0, !failure.wasReady { throw failure }
    throw CommandFailure(
      "nobody can listen on port \(port): \(error); give another one with --port, or leave it out",
      cause: error
    )
  }

  /// A value that two threads use.
  private final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }
}

/// The web browser of the person who runs a command.
enum WebBrowser {
  /// Opens a page, where there is a program that does.
  static func open(_ address: URL) {
    #if os(macOS)
      let programs = ["/usr/bin/open"]
    #else
      // Without a display there is nobody to look.
      let environment = ProcessInfo.processInfo.environment
      if environment["DISPLAY"] == nil, environment["WAYLAND_DISPLAY"] == nil { return }
      let programs = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open"]
    #endif
    guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [address.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
