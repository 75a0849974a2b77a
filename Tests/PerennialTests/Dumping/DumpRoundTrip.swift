import CoreData
import Foundation
import Seeding
import Testing

@testable import PerennialCommands

/// Writes a dump in a format, loads it into a new store, and dumps that store.
struct DumpRoundTrip {
  enum Outcome: Equatable {
    case equal
    /// The format cannot represent the dump.
    case refused(String)
  }

  private let model: NSManagedObjectModel
  private let dump: DumpedSeed
  private let folder: URL

  init(_ model: NSManagedObjectModel, _ dump: DumpedSeed, in folder: URL) {
    self.model = model
    self.dump = dump
    self.folder = folder
  }

  /// Runs the round trip both with one file and with a folder of files.
  func run(_ format: DumpFormat) throws -> Outcome {
    if let refusal = refusal(format) { return .refused(refusal) }
    if dump.entities.isEmpty {
      return format.text.isTable ? .refused("nothing") : try checked(format, "dump.\(format)")
    }
    if format.text.isTable { return try checked(format, "Dump/") }
    let outcome = try checked(format, "dump.\(format)")
    #expect(try checked(format, "Dump/") == outcome)
    return outcome
  }

  private func refusal(_ format: DumpFormat) -> String? {
    let text = format.text
    if let refusal = text.refusal(of: dump) { return refusal }
    return dump.without(text.refusal).omissions.first
  }

  private func checked(_ format: DumpFormat, _ name: String) throws -> Outcome {
    let place = folder.appendingPathComponent("\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let path = "\(place.path)/\(name)"
    try DumpOutput(path, format: format).write(dump)
    let loaded = try Self.dump(
      of: URL(fileURLWithPath: path),
      in: place.appendingPathComponent("Loaded.sqlite"),
      model
    )
    let difference = try StoreLines.difference(Self.json(loaded), Self.json(dump))
    #expect(difference == nil, "\(format), \(name): \(difference ?? "")")
    return .equal
  }

  /// The dump of a store after a seed was loaded into it.
  static func dump(of seed: URL, in store: URL, _ model: NSManagedObjectModel) throws -> DumpedSeed {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let added = try coordinator.addPersistentStore(type: .sqlite, at: store)
    defer { try? coordinator.remove(added) }
    try Seeder(.file(seed)).runAndWait(in: coordinator)
    return try StoreDump(coordinator).seed()
  }

  static func json(_ dump: DumpedSeed) throws -> String {
    String(decoding: try JSONSeedText().data(of: dump, namedAfter: nil), as: UTF8.self)
  }
}
