import CoreData
import Files
import Foundation
import Seeding

/// A store that is made in a folder of its own, and takes the place of the output when it is whole.
struct StoreBuild {
  private let output: String
  private let replaces: Bool

  /// - Parameter replaces: Whether a store that is there may go.
  init(_ output: String, replaces: Bool) throws {
    self.output = output
    self.replaces = replaces
    try checkOutput()
  }

  /// Makes the store. When anything fails, what was at the output is there as it was.
  /// - Parameter fill: Seeds the new store.
  func make(
    _ model: NSManagedObjectModel,
    _ fill: (NSPersistentStoreCoordinator) throws -> SeedReport
  ) throws -> SeedReport {
    let place = URL(fileURLWithPath: output)
    // Beside the output, since a file can only be renamed within a volume.
    let folder = place.deletingLastPathComponent()
      .appendingPathComponent(".\(place.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(place.lastPathComponent)
    let opened = try OpenedStore(writing: file.path, model: model)
    do {
      let report = try fill(opened.coordinator)
      try opened.closeCompactly(as: StoreIdentity(model, report).uuid)
      try checkIsAlone(file, model)
      try put(file, to: place)
      return report
    } catch {
      opened.abandon()
      throw error
    }
  }

  private func checkOutput() throws {
    let kind = FileKind(at: output)
    let isThere = kind != .nothing
    guard [.nothing, .regular, .folder].contains(kind) else {
      throw CommandFailure(
        output,
        "there is \(kind.words), which no store can be",
        remedy: "give another name"
      )
    }
    try OpenedStore.checkFolder(of: output, isMaking: !isThere)
    guard !isThere || replaces else {
      throw CommandFailure(
        output,
        "the file is there already",
        remedy: "give another name, or replace it with --force"
      )
    }
    try checkJournals()
  }

  /// SQLite would take the journal of the old store for one of the new.
  private func checkJournals() throws {
    for suffix in ["-wal", "-journal"] where FileKind(at: output + suffix) != .nothing {
      throw CommandFailure(
        output + suffix,
        "the journal of a store lies where the new one is to be",
        remedy: "close that store, or remove it with its journal"
      )
    }
  }

  private func checkIsAlone(_ file: URL, _ model: NSManagedObjectModel) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
    guard names != [file.lastPathComponent] else { return }
    let attributes = model.entities.flatMap { entity in
      entity.attributesByName.values.filter(\.allowsExternalBinaryDataStorage)
        .map { "\(entity.name ?? "").\($0.name)" }
    }
    throw CommandFailure(
      output,
      "large values of \(attributes.sorted().joined(separator: ", ")) would be files beside the store",
      remedy: "turn off “Allows External Storage” in the model, or leave such values out of the seeds"
    )
  }

  private func put(_ file: URL, to place: URL) throws {
    // Somebody may have opened the old store while this one was made.
    try checkJournals()
    if replaces {
      do {
        try FilePlacing.replace(place.path, with: file.path)
      } catch {
        throw CommandFailure(output, error.localizedDescription, remedy: "make the file writable")
      }
    } else if try !NewFile(file).put(at: place) {
      throw CommandFailure(output, "another program has made the file meanwhile", remedy: "give another name")
    }
  }
}
