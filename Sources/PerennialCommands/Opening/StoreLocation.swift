import ArgumentParser
import CoreData
import Files
import Foundation
import Seeding

/// The location of a store as the user wrote it: the path of a file, or the URL of a schema on a PostgreSQL server.
struct StoreLocation: ExpressibleByArgument, CustomStringConvertible {
  /// The location for messages: as the user wrote it, without a password.
  let description: String
  let url: URL
  /// The type of the store, for a store on a server; `nil` for a file.
  private let server: ServerStore?
  /// The reason that a store cannot be there; `nil` where it can.
  private let problem: CommandFailure?

  init(argument: String) {
    server = ServerStore(address: argument)
    guard let server else {
      description = argument
      url = URL(fileURLWithPath: argument)
      problem = nil
      return
    }
    let parts = ServerURL(argument)
    description = parts.shown
    url = URL(string: argument) ?? URL(fileURLWithPath: "/dev/null")
    problem = Self.problem(of: argument, parts: parts, type: server)
  }

  init(path: String) { self.init(argument: path) }

  /// True for a store on a server.
  var isOnServer: Bool { server != nil }

  private static func problem(of url: String, parts: ServerURL, type: ServerStore) -> CommandFailure? {
    if !type.isLinked {
      return CommandFailure(
        file: parts.shown,
        problem:
          "stores in \(type.name) take the package's trait \(type.trait), which this command was built without",
        remedy: "build it with --traits Command,\(type.trait)"
      )
    }
    if parts.hasPassword {
      return CommandFailure(
        file: parts.shown,
        problem: "the URL has a password, and URLs are seen by others",
        remedy: "leave it out, and give it by PGPASSWORD, ~/.pgpass or a service file"
      )
    }
    if !parts.isPlain || URL(string: url) == nil {
      return CommandFailure(
        file: parts.shown,
        problem: "this is not a URL",
        remedy: """
          write characters such as spaces, @ and / in names as %20, %40 and %2F, and give a password by PGPASSWORD, \
          ~/.pgpass or a service file
          """
      )
    }
    return nil
  }

  /// - Throws: the reason that a store cannot be there.
  func check() throws { if let problem { throw problem } }

  /// - Throws: a failure with the reason that a command needs a file, if the store is on a server.
  func requireFile(_ reason: String, remedy: String) throws {
    try check()
    if isOnServer { throw CommandFailure(file: description, problem: reason, remedy: remedy) }
  }

  /// The type of the store at the location.
  var storeType: String { server?.name ?? StoreFileType(of: description).storeType }

  /// True when a file or a schema exists at the location.
  func isTaken(options: [AnyHashable: Any] = [:]) throws -> Bool {
    try check()
    guard isOnServer else { return FileKind(at: url.path) != .nothing }
    do {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: storeType, at: url, options: options)
      return true
    } catch let error as NSError where error.code == CocoaError.fileReadNoSuchFile.rawValue {
      return false
    } catch {
      throw ClosedStore.failure(self, error: error)
    }
  }
}

extension CommandFailure {
  /// Makes a failure of a problem and the store that it concerns.
  init(store: StoreLocation, problem: String, remedy: String? = nil, cause: (any Error)? = nil) {
    self.init(file: store.description, problem: problem, remedy: remedy, cause: cause)
  }
}
