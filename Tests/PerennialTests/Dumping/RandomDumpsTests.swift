import CoreData
import Foundation
import Seeding
import Synchronization
import TestSupport
import Testing

@testable import PerennialCommands

/// Stores of random models with generated data, some of which is replaced by values that are hard to represent.
/// `PERENNIAL_SOAK=20` runs twenty times as many.
@Suite("Random dumps")
struct RandomDumpsTests {
  private static let count = UInt64(Soak.rounds(20))

  @Test("each loads into an equal store in each format that has words for it", arguments: 1...count)
  func roundTrip(number: UInt64) throws {
    let made = try MadeStore(number)
    defer { made.remove() }
    try Self.change(made)
    let dump = try StoreDump(made.coordinator).seed()
    #expect(dump.omissions == [])
    let roundTrip = DumpRoundTrip(made.model, dump, in: made.folder)
    for format in DumpFormat.allCases {
      let outcome = try roundTrip.run(format)
      if [.json, .jsonl].contains(format) { #expect(outcome == .equal) }
    }
    let loaded = NSPersistentStoreCoordinator(managedObjectModel: made.model)
    let copy = try loaded.addPersistentStore(
      type: .sqlite,
      at: made.folder.appendingPathComponent("Copy.sqlite")
    )
    defer { try? loaded.remove(copy) }
    let file = made.folder.appendingPathComponent("dump.json")
    try DumpOutput(file.path, format: nil).write(dump)
    try Seeder(.file(file)).runAndWait(in: loaded)
    let difference = try StoreLines.difference(
      StoreLines.lines(of: loaded),
      StoreLines.lines(of: made.coordinator)
    )
    #expect(difference == nil)
  }

  @Test("enough of them are said in tables and in property lists for those formats to be tested")
  func shares() throws {
    var said: [DumpFormat: Int] = [:]
    for number in 1...UInt64(20) {
      let made = try MadeStore(number)
      defer { made.remove() }
      let dump = try StoreDump(made.coordinator).seed()
      for format in [DumpFormat.csv, .plist, .yaml] {
        if try DumpRoundTrip(made.model, dump, in: made.folder).run(format) == .equal {
          said[format, default: 0] += 1
        }
      }
    }
    #expect(said[.csv, default: 0] >= 3 && said[.plist, default: 0] >= 10, "\(said)")
    #expect(said[.yaml] == 20, "\(said)")
  }

  /// Replaces some of the data by values that are hard to represent, as far as the model's rules allow it.
  static func change(_ made: MadeStore) throws {
    let random = Mutex(made.random)
    let names = made.entities
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = made.coordinator
    try context.performAndWait {
      var source = random.withLock { $0 }
      for name in names {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        let objects = try context.fetch(request).sorted { Self.row($0) < Self.row($1) }
        for object in objects where source.chance(0.5) {
          change(object, &source, in: context)
          do { try context.save() } catch { context.rollback() }
        }
      }
    }
  }

  /// The primary key of an object, which is the same in each run.
  private static func row(_ object: NSManagedObject) -> Int {
    Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
  }

  private static func change(
    _ object: NSManagedObject,
    _ random: inout RandomSource,
    in context: NSManagedObjectContext
  ) {
    for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
    where random.chance(0.4) {
      let isGone = attribute.isOptional && random.chance(0.3)
      object.setValue(isGone ? nil : RandomValues.value(for: attribute, &random), forKey: name)
    }
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !relationship.isToMany && random.chance(0.3) {
      let request = NSFetchRequest<NSManagedObject>(entityName: relationship.destinationEntity?.name ?? "")
      guard let others = try? context.fetch(request).sorted(by: { row($0) < row($1) }), !others.isEmpty,
        random.chance(0.8)
      else {
        object.setValue(nil, forKey: name)
        continue
      }
      object.setValue(random.element(others), forKey: name)
    }
  }
}
