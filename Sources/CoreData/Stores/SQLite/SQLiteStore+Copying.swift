import Files
import Foundation

/// A SQLite store is copied by SQLite, with what is only in the log, and replaced inside its file under SQLite's locks.
extension SQLiteStore: MovableStore {
  static func copy(_ url: URL, to other: URL) throws { try SQLiteFile(url).copy(to: SQLiteFile(other)) }

  func copy(to url: URL) throws { try engine().connections.copy(to: SQLiteFile(url)) }

  static func replace(_ url: URL, withCopyOf source: URL, options: [AnyHashable: Any]?) throws {
    if SQLiteMemory.isMeant(by: url) {
      throw StoreFailure.operation(
        "\(url.path) names a database in memory, which a file cannot replace; migrate the store to it instead.",
        file: url
      )
    }
    let timeout = StoreTimeout.seconds(in: options)
    if FileKind(at: url.path) == .nothing {
      try SQLiteFile(source).copy(to: SQLiteFile(url), timeout: timeout)
    } else {
      try SQLiteReplacement(file: url, timeout: timeout).run(with: SQLiteFile(source))
    }
  }

  static func removeAll(at url: URL) throws { try SQLiteFile(url).remove() }

  static func isCreatedAside(for url: URL) -> Bool { !SQLiteMemory.isMeant(by: url) }

  static func create(at url: URL, _ fill: (URL) throws -> Void) throws {
    try SQLiteFile(url).checkIsFree()
    try SQLiteFile(url).removeStrayLogs()
    let temporary = SQLiteFile(url).temporaryPlace
    do {
      try fill(temporary.url)
      try temporary.copy(to: SQLiteFile(url))
    } catch {
      try? temporary.remove()
      throw error
    }
    // An application uses the store by now. Left-over files of the other store do no harm.
    try? temporary.remove()
  }

  /// No connection can write the store from before the rebuild until it is replaced.
  static func rebuild(at url: URL, options: [AnyHashable: Any]?, _ create: (URL) throws -> Bool) throws {
    try StoreFile(url).checkPlace(mustExist: true, isWritten: true)
    let new = SQLiteFile(url).temporaryPlace
    defer { try? new.remove() }
    let timeout = StoreTimeout.seconds(in: options)
    try SQLiteReplacement(file: url, timeout: timeout).run(with: new.url) { try create(new.url) }
  }

  func withoutWriters<Value>(_ work: () throws -> Value) throws -> Value {
    let connections = try engine().connections
    guard connections.canHoldStates else { return try work() }
    do {
      return try connections.withoutWriters(work)
    } catch {
      throw SQLiteFailure.errorOfStore(error, file: file, doing: "Others could not be kept from writing")
    }
  }
}

extension SQLiteStore: PreparableStore {
  static func preparePlace(_ url: URL) {
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }
}
