import CoreData
import Foundation
import ModelFormats
import TestSupport
import Testing

@testable import CoreData

/// Makes an object from the name of a car's maker. The class name is as long as the one in the compiled mapping
/// model that it replaces.
final class MakerMigrationPolicy1: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let car = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[
      0
    ]
    guard let name = sInstance.text("maker") else { return }
    var makers = manager.userInfo?["makers"] as? [String: NSManagedObject] ?? [:]
    let maker = makers[name] ?? manager.destinationContext.make("Maker", ["name": name])
    makers[name] = maker
    manager.userInfo = ["makers": makers]
    car.setValue(maker, forKey: "createdBy")
  }
}

@Suite("Mapping models made by Xcode", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct AppleMappingTests {
  private static let sample = "fixtures/coredataplus/Tests/Resources/SampleModel/"
  private static let moody = "fixtures/moody/Migrations/Migrations/"

  private func sampleModel(_ version: Int) throws -> NSManagedObjectModel {
    let name = "SampleModel\(version == 1 ? "" : String(version))"
    return try NSManagedObjectModel.load(
      contentsOf: SharedFolder.url(Self.sample + "Fixtures/SampleModel.momd/\(name).mom")
    )
  }

  @Test("mapping models read from Xcode's source and from Xcode's compiled file are equal")
  func sourceAndCompiled() throws {
    let compiled = try NSMappingModel.load(contentsOf: SharedFolder.url(Self.sample + "Fixtures/V2toV3.cdm"))
    let source = try NSMappingModel.load(
      contentsOf: SharedFolder.url(Self.sample + "MappingModels/V2toV3.xcmappingmodel"),
      forSourceModel: sampleModel(2),
      destinationModel: sampleModel(3)
    )
    #expect(source.entityMappings.map(\.name) == compiled.entityMappings.map(\.name))
    for (one, other) in zip(source.entityMappings, compiled.entityMappings) {
      #expect(one.sourceEntityName == other.sourceEntityName)
      #expect(one.destinationEntityName == other.destinationEntityName)
      #expect(one.sourceEntityVersionHash == other.sourceEntityVersionHash)
      #expect(one.destinationEntityVersionHash == other.destinationEntityVersionHash)
      #expect(one.entityMigrationPolicyClassName == other.entityMigrationPolicyClassName)
      #expect(one.sourceExpression == other.sourceExpression, "\(one.name ?? "")")
      for properties in [\NSEntityMapping.attributeMappings, \.relationshipMappings] {
        func texts(_ mapping: NSEntityMapping) -> [String] {
          (mapping[keyPath: properties] ?? []).map {
            "\($0.name ?? ""): \($0.valueExpression?.description ?? "")"
          }
          .sorted()
        }
        #expect(texts(one) == texts(other), "\(one.name ?? "")")
      }
    }
  }

  @Test(
    "resources with Xcode's mapping models migrate an added store, compiled by Xcode and compiled here",
    arguments: [false, true]
  )
  func automatic(_ isCompiledHere: Bool) throws {
    let folder = try TemporaryFolder()
    let resources = Bundle.main.bundleURL.appendingPathComponent(
      "\(UUID().uuidString)_CoreDataTests.resources"
    )
    try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: resources) }
    var data =
      try isCompiledHere
      ? compiled() : Data(contentsOf: SharedFolder.url(Self.sample + "Fixtures/V2toV3.cdm"))
    for (name, own) in [("REPLACE_AT_RUNTIME.V2to3MakerPolicy", "CoreDataTests.MakerMigrationPolicy1")] {
      while let range = data.range(of: Data(name.utf8)) { data.replaceSubrange(range, with: Data(own.utf8)) }
    }
    try data.write(to: resources.appendingPathComponent("V2toV3.cdm"))
    let file = try AppleStore.migratedSample.copy(to: folder.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try sampleModel(3))
    let options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: false,
    ]
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let makers = try context.all("Maker")
    #expect(makers.count == 10)
    let cars = try context.all("Car", by: "numberPlate")
    #expect(cars.count == 125)
    #expect(cars.filter { $0.entity.name == "LuxuryCar" }.count == 5)
    #expect(cars.allSatisfy { $0.object("createdBy") != nil })
    for car in cars {
      let owners = (car.value(forKey: "previousOwners") as? Set<NSManagedObject>) ?? []
      #expect(owners == Set([car.object("owner")].compactMap(\.self)))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!files.contains { $0.hasPrefix(".") }, "\(files)")
  }

  /// Xcode's mapping model, compiled with the edited models.
  private func compiled() throws -> Data {
    let url = SharedFolder.url(Self.sample + "MappingModels/V2toV3.xcmappingmodel")
    let models = [SharedFolder.url(Self.sample + "SampleModel.xcdatamodeld")]
    return try MappingPackage(contentsOf: url).compiled {
      (_, path) throws(ModelFileError) in
      path.flatMap { MappingPackage.version(atProjectPath: $0, among: models) }
    }
  }

  @Test("compiled here are found in a bundle for their versions, with the hashes that Xcode gave them")
  func found() throws {
    let folder = try TemporaryFolder()
    let bundle = folder.url.appendingPathComponent("Models.bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    try compiled().write(to: bundle.appendingPathComponent("V2toV3.cdm"))
    let bundles = [try #require(Bundle(url: bundle))]
    let (old, new) = (try sampleModel(2), try sampleModel(3))
    let found = try #require(NSMappingModel(from: bundles, forSourceModel: old, destinationModel: new))
    #expect(NSMappingModel(from: bundles, forSourceModel: new, destinationModel: old) == nil)
    let apples = try NSMappingModel.load(contentsOf: SharedFolder.url(Self.sample + "Fixtures/V2toV3.cdm"))
    for (one, other) in zip(found.mappings, apples.mappings) {
      #expect(one.sourceEntityVersionHash == other.sourceEntityVersionHash, "\(one.name ?? "")")
      #expect(one.destinationEntityVersionHash == other.destinationEntityVersionHash, "\(one.name ?? "")")
      #expect(one.mappingType == other.mappingType)
    }
    #expect(found.mappings.count == 5)
  }

  @Test("a mapping model with a missing policy leaves the store unchanged")
  func missingPolicy() throws {
    let folder = try TemporaryFolder()
    let file = try AppleStore.migratedSample.copy(to: folder.url)
    let manager = NSMigrationManager(sourceModel: try sampleModel(2), destinationModel: try sampleModel(3))
    let mapping = try NSMappingModel.load(contentsOf: SharedFolder.url(Self.sample + "Fixtures/V2toV3.cdm"))
    #expect {
      try manager.migrateStore(
        from: file,
        type: .sqlite,
        mapping: mapping,
        to: folder.file("new.sqlite"),
        type: .sqlite
      )
    } throws: { error in
      (error as NSError).code == NSEntityMigrationPolicyError
    }
    let count: [Int] = try folder.query("SELECT COUNT(*) FROM ZCAR", at: file)
    #expect(count == [125])
  }

  @Test(
    "Xcode's mapping models migrate a store through all versions of its model",
    arguments: [AppleStore.moods[1], .moods[1].madeHere]
  )
  func chain(_ store: AppleStore) throws {
    let (folder, originals) = (try TemporaryFolder(), try TemporaryFolder())
    var file = try store.copy(to: folder.url)
    for version in 2...4 {
      let models = try [version, version + 1].map { try AppleStore.moods[$0 - 1].loadModel() }
      let mapping = try NSMappingModel.load(
        contentsOf: SharedFolder.url(Self.moody + "Moody \(version)-Moody \(version + 1).xcmappingmodel"),
        forSourceModel: models[0],
        destinationModel: models[1]
      )
      let target = folder.file("Moody \(version + 1).sqlite")
      try NSMigrationManager(sourceModel: models[0], destinationModel: models[1])
        .migrateStore(from: file, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
      file = target
      let counts: [Int] = try folder.query("SELECT COUNT(*) FROM ZMOOD", at: file)
      #expect(counts == [4], "version \(version + 1)")
      let countries: [Int] = try folder.query("SELECT COUNT(*) FROM ZMOOD WHERE ZCOUNTRY NOT NULL", at: file)
      let former: [Int] = try folder.query(
        "SELECT COUNT(*) FROM ZMOOD WHERE ZCOUNTRY NOT NULL",
        at: AppleStore.moods[version].copy(to: originals.url)
      )
      #expect(countries == former, "version \(version + 1)")
    }
    let continents: [Int] = try folder.query(
      "SELECT COUNT(*) FROM ZCOUNTRY WHERE ZISOCONTINENT NOT NULL",
      at: file
    )
    #expect(continents == [3])
  }

  @Test("damaged mapping models are refused and never crash", arguments: 0..<8)
  func fuzz(_ seed: Int) throws {
    let data = try Data(contentsOf: SharedFolder.url(Self.sample + "Fixtures/V2toV3.cdm"))
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      var damaged = data
      for _ in 0...seed { damaged[Int.random(in: 8..<data.count, using: &generator)] = .random(in: 0...255) }
      if seed == 0 { damaged = damaged.prefix(.random(in: 0..<data.count)) }
      _ = try? NSMappingModel(document: MappingDocument(compiled: damaged), file: "damaged")
    }
  }
}
