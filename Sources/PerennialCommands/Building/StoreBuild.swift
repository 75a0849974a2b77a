import CoreData
import Files
import Foundation
import Seeding

/// Makes a store in a folder of its own, and moves it to the output once it is complete.
///
/// The files of external data are named after their content. They are therefore put next to the files of an
/// old store first. Then the new store replaces the old one, and the files that only the old one used are
/// removed. Files that remain after a failure between these steps harm neither store.
struct StoreBuild {
  private let output: String
  private let replaces: Bool

  /// - Parameter replaces: True when an existing store may be replaced.
  init(_ output: String, replaces: Bool) throws {
    self.output = output
    self.replaces = replaces
    try checkOutput()
  }

  /// Creates the store. If anything fails, the store at the output stays as it was.
  /// - Parameter fill: Seeds the new store.
  func create(
    _ model: NSManagedObjectModel,
    _ fill: (NSPersistentStoreCoordinator) throws -> SeedReport
  ) throws -> SeedReport {
    try create { file in
      let opened = try OpenedStore(writing: StoreLocation(path: file.path), model: model)
      do {
        let report = try fill(opened.coordinator)
        try opened.closeCompactly(as: StoreIdentity(model: model, report: report).uuid)
        return report
      } catch {
        opened.abandon(after: error)
        throw error
      }
    }
  }

  /// Creates the store with the content of a store on a server, but without its history. If anything
  /// fails, the store at the output stays as it was.
  func create(_ model: NSManagedObjectModel, from server: StoreLocation, modelPath: String) throws {
    try create { file in
      let place = StoreLocation(path: file.path)
      try OpenedStore.reading(server, model: modelPath, needsWholeModel: true) {
        try $0.copy(to: place, type: NSSQLiteStoreType, options: [:], keepsHistory: false)
      }
      let identity = try ClosedStore.metadata(of: place)[NSStoreUUIDKey] as? String ?? ""
      try OpenedStore(writing: place, model: model)
        .closeCompactly(as: StoreIdentity(model, of: identity).uuid)
    }
  }

  private func create<Value>(_ make: (URL) throws -> Value) throws -> Value {
    let place = URL(fileURLWithPath: output)
    // Next to the output, because a file can only be renamed within a volume.
    let folder = place.deletingLastPathComponent()
      .appendingPathComponent(".\(place.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(place.lastPathComponent)
    let value = try make(file)
    try checkIsWhole(file)
    try put(file, to: place)
    return value
  }

  private func checkOutput() throws {
    let kind = FileKind(at: output)
    let isThere = kind != .nothing
    guard [.nothing, .regular, .folder].contains(kind) else {
      throw CommandFailure(
        file: output,
        problem: "there is \(kind.words), which no store can be",
        remedy: "give another name"
      )
    }
    try OpenedStore.checkFolder(of: StoreLocation(path: output), isCreating: !isThere)
    guard !isThere || replaces else {
      throw CommandFailure(
        file: output,
        problem: "the file is there already",
        remedy: "give another name, or replace it with --force"
      )
    }
    try checkJournals()
  }

  /// Checks that no journal lies at the output, because SQLite would apply it to the new store.
  private func checkJournals() throws {
    for suffix in ["-wal", "-journal"] where FileKind(at: output + suffix) != .nothing {
      throw CommandFailure(
        file: output + suffix,
        problem: "the journal of another store is where the new one is to be",
        remedy: "close that store, or remove it with its journal"
      )
    }
  }

  /// Checks that the build made only the store and its external data. Any other file would be missing when the
  /// store is shipped.
  ///
  /// - Throws: A `CommandFailure` that names the other file.
  private func checkIsWhole(_ file: URL) throws {
    let known = [file.lastPathComponent, ExternalData(of: file).support.lastPathComponent]
    let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
    guard let other = names.sorted().first(where: { !known.contains($0) }) else { return }
    throw CommandFailure(
      file: output,
      problem: "the store came with a file \(other), which it would lack",
      remedy: "report it"
    )
  }

  private func put(_ file: URL, to place: URL) throws {
    // Another program may have opened the old store while this one was made.
    try checkJournals()
    // The store file is put in place last, so that the external data it refers to is there before it.
    let (new, external) = (ExternalData(of: file), ExternalData(of: place))
    let names = try new.names()
    try new.put(at: external)
    if replaces {
      do {
        try FilePlacing.replace(place.path, with: file.path)
        try external.removeFiles(but: names)
      } catch {
        throw CommandFailure(file: output, problem: error.localizedDescription, remedy: "make the file writable")
      }
    } else if try !NewFile(file).put(at: place) {
      throw CommandFailure(
        file: output,
        problem: "another program has made the file meanwhile",
        remedy: "give another name"
      )
    }
  }
}
