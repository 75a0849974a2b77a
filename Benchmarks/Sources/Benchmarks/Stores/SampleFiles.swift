import CoreData
import Foundation
import Samples

/// Stores of samples. Each is made once, and copied for each use that changes it.
final class SampleFiles {
  private static let rowsOfATransaction = 1_000_000

  let originals: URL
  private let copies: URL

  init(folder: URL) {
    originals = folder
    copies = folder
  }

  /// - Parameters:
  ///   - originals: the folder of stores that another process has made.
  ///   - copies: the folder of copies and of all other files.
  init(originals: URL, copies: URL) {
    self.originals = originals
    self.copies = copies
  }

  /// The store with this number of rows, for contenders that only read it.
  ///
  /// It is made without managed objects, because their memory would be part of later figures.
  func original(rows: Int) throws -> URL {
    let url = originals.appendingPathComponent("of-\(rows).sqlite")
    if FileManager.default.fileExists(atPath: url.path) { return url }
    try SampleStore.fill(url, count: 0)
    let raw = try RawSQLite(url.path)
    for first in stride(from: 0, to: rows, by: Self.rowsOfATransaction) {
      try raw.insert(min(Self.rowsOfATransaction, rows - first), from: first)
    }
    try raw.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows)")
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return url
  }

  /// A store with this number of rows, for contenders that change it.
  func make(rows: Int) throws -> URL {
    let original = try original(rows: rows)
    let copy = emptyFile()
    try FileManager.default.copyItem(at: original, to: copy)
    return copy
  }

  /// The path of a file that does not exist yet.
  func emptyFile(_ ending: String = "sqlite") -> URL {
    copies.appendingPathComponent("\(UUID().uuidString).\(ending)")
  }

  /// A context with all objects of a new copy of a store.
  func fetched(_ count: Int) throws -> (context: NSManagedObjectContext, samples: [Sample]) {
    let context = try SampleStore(make(rows: count)).context()
    let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
    precondition(samples.count == count)
    return (context, samples)
  }
}
