import Browser
import CoreData
import Dispatch
import Foundation
import Synchronization

/// A browser server that a command runs until the user ends it.
struct BrowserRun {
  /// The port used without `--port`: a fixed port keeps bookmarks and the browser's stored data valid.
  private static let customaryPort = 8_737

  let coordinator: NSPersistentStoreCoordinator
  let name: String
  /// `nil` for the customary port, or any free port if that one is taken.
  let port: Int?
  let opens: Bool
  var counterparts = StoreBrowser.Counterparts()
  let allowsWriting: Bool
  /// The file that stores the token of the address, so that it stays the same; `nil` for a new address on each run.
  var tokenFile: URL?
  /// The longest time that each read of the store may take.
  let timeLimit: Duration

  func run() throws {
    guard port == nil else { return try serve(port ?? 0) }
    do {
      try serve(Self.customaryPort)
    } catch let failure as PortFailure where !failure.wasReady {
      try serve(0)
    }
  }

  /// The error of a server, and whether the server had begun to serve.
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
      tokenFile: tokenFile,
      timeLimit: timeLimit
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
          // A program that reads the output through a pipe waits for the address.
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
      "the browser cannot listen on port \(port): \(error); give another one with --port, or leave it out",
      cause: error
    )
  }

  /// A value that two threads share.
  private final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
  }
}

/// The web browser of the user who runs a command.
enum WebBrowser {
  /// Opens a page, if the system has a program for it.
  static func open(_ address: URL) {
    #if os(macOS)
      let programs = ["/usr/bin/open"]
    #else
      // Without a display no user can see a page.
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
