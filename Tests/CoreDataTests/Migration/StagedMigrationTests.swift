import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("A staged migration")
struct StagedMigrationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#
  /// A user with the name of a pet; a user with that name and a pet; a user with a pet that has a name.
  private static let versions = [
    """
    <entity name="User">\(name)<attribute name="petName" attributeType="String" optional="YES"/></entity>
    """,
    """
    <entity name="User">\(name)<attribute name="petName" attributeType="String" optional="YES"/>\
    <relationship name="pet" optional="YES" maxCount="1" destinationEntity="Pet" inverseName="owner" \
    inverseEntity="Pet"/></entity><entity name="Pet">\(name)<relationship name="owner" optional="YES" maxCount="1" \
    destinationEntity="User" inverseName="pet" inverseEntity="User"/></entity>
    """,
    """
    <entity name="User">\(name)<relationship name="pet" optional="YES" maxCount="1" destinationEntity="Pet" \
    inverseName="owner" inverseEntity="Pet"/></entity><entity name="Pet"><attribute name="name" \
    attributeType="String"/><relationship name="owner" optional="YES" maxCount="1" destinationEntity="User" \
    inverseName="pet" inverseEntity="User"/></entity>
    """,
  ]

  private let models: [NSManagedObjectModel]
  private let references: [NSManagedObjectModelReference]

  init() throws {
    models = try Self.versions.map(VersionedStore.model)
    references = models.map { NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
  }

  private func store(_ kind: StoreKind) throws -> VersionedStore {
    try VersionedStore(Self.versions[0], on: kind) {
      for name in ["a", "b"] { $0.make("User", ["name": name, "petName": "pet of \(name)"]) }
    }
  }

  private func open(
    _ store: VersionedStore,
    _ version: Int,
    _ stages: [NSMigrationStage]
  ) throws -> NSManagedObjectContext {
    let manager = NSStagedMigrationManager(stages)
    let context = try store.open(
      models[version],
      options: VersionedStore.automatic.merging(
        [NSPersistentStoreStagedMigrationManagerOptionKey: manager]
      ) { $1 }
    )
    #expect(manager.container == nil)
    return context
  }

  private func stages() -> [NSMigrationStage] {
    let first = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
    first.didMigrateHandler = { manager, stage in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for user in try context.all("User") {
          context.make("Pet", ["name": user.text("petName") ?? "", "owner": user])
        }
        try context.save()
      }
    }
    let second = NSCustomMigrationStage(migratingFrom: references[1], to: references[2])
    second.willMigrateHandler = { manager, stage in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        for pet in try context.all("Pet") where pet.text() == nil { pet.setValue("none", forKey: "name") }
        try context.save()
      }
    }
    return [first, second]
  }

  @Test(
    "a staged migration runs its handlers with the store open under the models around each stage",
    arguments: StoreKind.migrating
  )
  func handlers(_ kind: StoreKind) throws {
    let store = try store(kind)
    let context = try open(store, 2, stages())
    #expect(try context.all("User").map { $0.object("pet")?.text() } == ["pet of a", "pet of b"])
    try store.close()
    try store.expectFreshSchema(Self.versions[2])
  }

  @Test("a staged migration begins with the store's current stage", arguments: StoreKind.migrating)
  func middle(_ kind: StoreKind) throws {
    let store = try store(kind)
    _ = try open(store, 1, stages())
    try store.close()
    #expect(try store.texts("SELECT CAST(COUNT(*) AS TEXT) FROM ", "Pet") == ["2"])
    // Each pet exists once, because the first stage is not run again.
    let context = try open(store, 2, stages())
    #expect(try context.texts("Pet") == ["pet of a", "pet of b"])
    #expect(try open(store, 2, stages()).texts("Pet").count == 2)
  }

  @Test(
    "a staged migration ends at the coordinator's model, and includes lightweight stages",
    arguments: StoreKind.migrating
  )
  func lightweight(_ kind: StoreKind) throws {
    let store = try store(kind)
    let light = NSLightweightMigrationStage([models[0].versionChecksum, models[1].versionChecksum])
    let custom = NSCustomMigrationStage(migratingFrom: references[1], to: references[2])
    var calls: [String] = []
    custom.willMigrateHandler = { manager, stage in
      calls.append(
        "will \(manager.container?.managedObjectModel.versionChecksum == stage.currentModel.versionChecksum)"
      )
    }
    custom.didMigrateHandler = { manager, stage in
      calls.append(
        "did \(manager.container?.managedObjectModel.versionChecksum == stage.nextModel.versionChecksum)"
      )
    }
    let context = try open(store, 1, [light, custom])
    #expect(try context.texts("User") == ["a", "b"])
    #expect(calls.isEmpty)
    #expect(try open(store, 2, [light, custom]).texts("User") == ["a", "b"])
    #expect(calls == ["will true", "did true"])
  }

  @Test("a staged migration that would go back is refused", arguments: StoreKind.migrating)
  func backwards(_ kind: StoreKind) throws {
    let store = try store(kind)
    _ = try open(store, 2, stages())
    try store.close()
    let before = try store.dump()
    #expect { try open(store, 0, stages()) } throws: { error in
      (error as NSError).code == NSStagedMigrationBackwardMigrationError
    }
    #expect(try store.dump() == before)
  }

  @Test("a handler's error ends a staged migration after the earlier stages", arguments: StoreKind.migrating)
  func failing(_ kind: StoreKind) throws {
    struct Failure: Error {}
    let store = try store(kind)
    let stages = stages()
    (stages[1] as? NSCustomMigrationStage)?.willMigrateHandler = { _, _ in throw Failure() }
    #expect(throws: Failure.self) { try open(store, 2, stages) }
    #expect(
      try store.texts(kind.isPostgreSQL ? "SELECT name FROM " : "SELECT ZNAME FROM ", "Pet", " ORDER BY 1")
        == ["pet of a", "pet of b"]
    )
    #expect(try open(store, 2, self.stages()).texts("Pet") == ["pet of a", "pet of b"])
  }

  @Test(
    "a staged migration finds models by file, name and hashes, and detects a wrong one",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
  )
  func modelReferences() throws {
    let folder = try TemporaryFolder()
    let bundleURL = folder.url.appendingPathComponent("Models.bundle")
    let momd = SharedFolder.url(
      "fixtures/coredataplus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd"
    )
    try FileManager.default.createDirectory(at: bundleURL, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: momd, to: bundleURL.appendingPathComponent("SampleModel3.momd"))
    let bundle = try #require(Bundle(url: bundleURL))
    let file = momd.appendingPathComponent("SampleModel3_v2.mom")
    let model = try NSManagedObjectModel.load(contentsOf: file)
    let checksum = model.versionChecksum
    let found = [
      NSManagedObjectModelReference(fileURL: file, versionChecksum: checksum),
      NSManagedObjectModelReference(name: "SampleModel3_v2", in: bundle, versionChecksum: checksum),
      NSManagedObjectModelReference(
        entityVersionHashes: model.entityVersionHashesByName,
        in: bundle,
        versionChecksum: checksum
      ),
    ]
    for reference in found {
      #expect(reference.versionChecksum == checksum)
      #expect(reference.resolvedModel.entityVersionHashesByName == model.entityVersionHashesByName)
    }
    for wrong in [
      NSManagedObjectModelReference(fileURL: file, versionChecksum: "other"),
      NSManagedObjectModelReference(name: "Nothing", in: bundle, versionChecksum: checksum),
      NSManagedObjectModelReference(fileURL: folder.file("no.mom"), versionChecksum: checksum),
    ] {
      #expect { try wrong.resolve() } throws: { error in
        (error as NSError).code == NSManagedObjectModelReferenceNotFoundError
      }
    }
  }
}
