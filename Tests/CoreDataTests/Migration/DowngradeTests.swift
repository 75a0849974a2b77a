import CoreData
import Foundation
import Testing

@testable import CoreData

/// An earlier version of a program opens a store that a later version has migrated. The only model of the later version is
/// the one in the store.
@Suite("A store of a model that the program does not have")
struct DowngradeTests {
  private static let text = #"<attribute name="name" attributeType="String" optional="YES"/>"#
  private static let old = "<entity name=\"Note\">\(text)</entity>"
  private static let new = """
    <entity name="Note">\(text)<attribute name="rating" attributeType="Integer 16" optional="YES"/></entity>
    <entity name="Tag">\(text)</entity>
    """

  private static func model(_ entities: String, _ version: String) throws -> NSManagedObjectModel {
    let model = try VersionedStore.model(entities)
    model.versionIdentifiers = [version]
    return model
  }

  /// A store that a later version of a program made.
  private func later(_ kind: StoreKind = .sqlite) throws -> VersionedStore {
    let store = try VersionedStore(Self.old, on: kind) { $0.make("Note", ["name": "a"]) }
    let context = try store.open(Self.model(Self.new, "2"), options: VersionedStore.byDefault)
    try context.all("Note").first?.setValue(5, forKey: "rating")
    context.make("Tag", ["name": "t"])
    try context.save()
    try store.close()
    return store
  }

  /// The error that refuses a store, which stays unchanged.
  private func refusal(
    _ store: VersionedStore,
    _ model: NSManagedObjectModel,
    _ more: [AnyHashable: Any] = [:],
    configuration: String? = nil
  ) throws -> NSError {
    let before = try store.dump()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: store.kind.storeType,
        configurationName: configuration,
        at: store.file,
        options: VersionedStore.byDefault.merging(more) { $1 }
      )
    }
    #expect(coordinator.persistentStores.isEmpty)
    #expect(try store.dump() == before)
    return try #require(error)
  }

  @Test(
    "a downgrade is refused with the versions, the losses and the option",
    arguments: StoreKind.migrating
  )
  func refused(_ kind: StoreKind) throws {
    let store = try later(kind)
    let (model, newer) = (try Self.model(Self.old, "1"), try Self.model(Self.new, "2"))
    let error = try refusal(store, model)
    #expect(error.code == NSMigrationMissingSourceModelError)
    let text = error.localizedDescription
    for words in [
      store.name, "version 2, checksum \(newer.versionChecksum)",
      "version 1, checksum \(model.versionChecksum)", "lose the values of Note.rating, the objects of Tag.",
      "NSPersistentStoreAllowsDowngradeOption",
    ] {
      #expect(text.contains(words), "\(text)")
    }
    #expect(error.userInfo["lostEntities"] as? [String] == ["Tag"])
    #expect(error.userInfo["lostProperties"] as? [String] == ["Note.rating"])
    #expect(error.userInfo[NSFilePathErrorKey] as? String == store.file.storeName)
    // For the program that made the store, it is unchanged.
    let context = try store.open(newer, options: VersionedStore.byDefault)
    #expect(try context.all("Note").map { $0.value(forKey: "rating") as? Int } == [5])
    #expect(try context.texts("Tag") == ["t"])
  }

  @Test("a container, which migrates automatically, refuses a downgrade")
  func container() throws {
    let store = try later()
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: try Self.model(Self.old, "1"))
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store.file)]
    var codes: [Int?] = []
    container.loadPersistentStores { codes.append(($1 as NSError?)?.code) }
    #expect(codes == [NSMigrationMissingSourceModelError])
    let rows: [Int] = try store.query("SELECT ZRATING FROM ZNOTE")
    #expect(rows == [5])
  }

  @Test("a store is migrated down if the option allows it", arguments: StoreKind.migrating)
  func allowed(_ kind: StoreKind) throws {
    let store = try later(kind)
    let options = VersionedStore.byDefault.merging([NSPersistentStoreAllowsDowngradeOption: true]) { $1 }
    #expect(try store.open(Self.model(Self.old, "1"), options: options).texts("Note") == ["a"])
    try store.close()
    try store.expectFreshSchema(Self.old)
    let refused = try refusal(
      later(kind),
      Self.model(Self.old, "1"),
      [NSPersistentStoreAllowsDowngradeOption: false]
    )
    #expect(refused.code == NSMigrationMissingSourceModelError)
  }

  @Test(
    "a store of an unknown model is migrated if nothing is lost",
    arguments: [
      new + #"<entity name="More"/>"#,
      new.replacingOccurrences(of: "Integer 16", with: "Integer 64"),
      new.replacingOccurrences(of: #"name="rating""#, with: #"name="stars" elementID="rating""#),
    ]
  )
  func harmless(_ entities: String) throws {
    let store = try later()
    let context = try store.open(Self.model(entities, "3"), options: VersionedStore.byDefault)
    #expect(try context.texts("Tag") == ["t"])
    #expect(try context.texts("Note") == ["a"])
    let key = entities.contains("stars") ? "stars" : "rating"
    #expect(try context.all("Note").first?.value(forKey: key) as? Int == 5)
  }

  @Test(
    "a store is refused if its values would need a narrower or an incompatible type",
    arguments: StoreKind.migrating
  )
  func types(_ kind: StoreKind) throws {
    let store = try later(kind)
    for type in ["Boolean", "String"] {
      let model = try Self.model(Self.new.replacingOccurrences(of: "Integer 16", with: type), "1")
      let error = try refusal(store, model)
      #expect(error.code == NSMigrationMissingSourceModelError)
      #expect(error.userInfo["lostProperties"] as? [String] == ["Note.rating"])
    }
  }

  @Test(
    "a migration loses no entity outside of the configuration with which the store is opened",
    arguments: StoreKind.migrating
  )
  func configuration(_ kind: StoreKind) throws {
    let store = try later(kind)
    let one = #"<configuration name="One"><memberEntity name="Note"/></configuration>"#
    let model = try Self.model(Self.new + #"<entity name="More"/>"# + one, "3")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.remove(
      coordinator.addPersistentStore(
        ofType: store.kind.storeType,
        configurationName: "One",
        at: store.file,
        options: VersionedStore.byDefault
      )
    )
    #expect(try store.open(model).texts("Tag") == ["t"])
    try store.close()
    let error = try refusal(store, Self.model(Self.old + one, "1"), configuration: "One")
    #expect(error.userInfo["lostEntities"] as? [String] == ["More", "Tag"])
  }

  @Test("a model is known to the program if the package of its model has that version")
  func inPackage() throws {
    let store = try later()
    let package = store.folder.url.appendingPathComponent("Notes.xcdatamodeld")
    for (name, entities) in [("Notes", Self.old), ("Notes 2", Self.new)] {
      let version = package.appendingPathComponent("\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data("<model>\(entities)</model>".utf8).write(to: version.appendingPathComponent("contents"))
    }
    // Both versions are resources of the program, so the downgrade is intentional.
    let older = try NSManagedObjectModel.load(contentsOf: package.appendingPathComponent("Notes.xcdatamodel"))
    let copy = try #require(older.copy() as? NSManagedObjectModel)
    #expect(try store.open(copy, options: VersionedStore.byDefault).texts("Note") == ["a"])
    // Without the package, the same model is unknown to the program.
    try FileManager.default.removeItem(at: package)
    let alone = try #require(older.copy() as? NSManagedObjectModel)
    #expect(try refusal(later(), alone).code == NSMigrationMissingSourceModelError)
  }

  @Test("a model is known to the program if a stage names it or its checksum", arguments: [true, false])
  func stages(_ isModel: Bool) throws {
    let store = try later()
    let (older, newer) = (try Self.model(Self.old, "1"), try Self.model(Self.new, "2"))
    let (from, to) = (newer.versionChecksum, older.versionChecksum)
    let stage: NSMigrationStage =
      isModel
      ? NSCustomMigrationStage(
        migratingFrom: NSManagedObjectModelReference(model: newer, versionChecksum: from),
        to: NSManagedObjectModelReference(model: older, versionChecksum: to)
      ) : NSLightweightMigrationStage([from, to])
    let key = NSPersistentStoreStagedMigrationManagerOptionKey
    let others = NSStagedMigrationManager([NSLightweightMigrationStage([to])])
    let error = try refusal(store, older, [key: others])
    #expect(error.code == NSMigrationMissingSourceModelError)
    let options = VersionedStore.byDefault.merging([key: NSStagedMigrationManager([stage])]) { $1 }
    #expect(try store.open(older, options: options).texts("Note") == ["a"])
  }

  @Test(
    "a downgrade is refused in files that contain no model, whatever the options",
    arguments: [NSXMLStoreType, NSBinaryStoreType]
  )
  func files(_ type: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("notes")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model(Self.new, "2"))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file)
    context.make("Tag", ["name": "t"])
    try context.save()
    try coordinator.remove(store)
    let before = try Data(contentsOf: file)
    for model in [Self.old, Self.new + #"<entity name="More"/>"#] {
      let older = NSPersistentStoreCoordinator(managedObjectModel: try Self.model(model, "1"))
      let error = #expect(throws: NSError.self) {
        try older.addPersistentStore(
          ofType: type,
          configurationName: nil,
          at: file,
          options: VersionedStore.automatic
        )
      }
      #expect(error?.code == NSMigrationMissingSourceModelError)
      #expect(error?.localizedDescription.contains("version 2, checksum ") == true)
    }
    #expect(try Data(contentsOf: file) == before)
  }
}
