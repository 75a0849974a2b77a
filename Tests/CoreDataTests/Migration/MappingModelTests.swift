import CoreData
import Foundation
import ModelFormats
import TestSupport
import Testing

@testable import CoreData

@Suite("A mapping model")
struct MappingModelTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  @Test("an inferred mapping model has a mapping for each entity, named as Apple's framework does")
  func inferred() throws {
    let old = try VersionedStore.model(
      """
      <entity name="Same">\(Self.name)</entity><entity name="Gone"/>
      <entity name="Old">\(Self.name)<attribute name="x" attributeType="String" optional="YES"/></entity>
      """
    )
    let new = try VersionedStore.model(
      """
      <entity name="Same">\(Self.name)</entity><entity name="Added"/>
      <entity name="New" elementID="Old"><attribute name="title" elementID="name" attributeType="String" optional="YES"/>
      <attribute name="y" attributeType="String" optional="YES"/>
      <relationship name="same" optional="YES" maxCount="1" destinationEntity="Same"/></entity>
      """
    )
    let model = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    #expect(
      model.entityMappings.map(\.name) == [
        "IEM_Add_Added", "IEM_Transform_New", "IEM_Copy_Same", "IEM_Remove_Gone",
      ]
    )
    #expect(
      model.entityMappings.map(\.mappingType) == [
        .addEntityMappingType, .transformEntityMappingType, .copyEntityMappingType, .removeEntityMappingType,
      ]
    )
    let mapping = try #require(model.entityMappingsByName["IEM_Transform_New"])
    #expect(mapping.sourceEntityName == "Old")
    #expect(mapping.destinationEntityName == "New")
    #expect(mapping.sourceEntityVersionHash == old.entityVersionHashesByName["Old"])
    #expect(mapping.destinationEntityVersionHash == new.entityVersionHashesByName["New"])
    #expect(mapping.userInfo?["mappedProperties"] as? Set<String> == ["title"])
    #expect(mapping.userInfo?["addedProperties"] as? Set<String> == ["y", "same"])
    #expect(mapping.userInfo?["removedProperties"] as? Set<String> == ["x"])
    #expect(mapping.attributeMappings?.map { $0.valueExpression?.description } == ["$source.name", nil])
    #expect(mapping.relationshipMappings?.map(\.name) == ["same"])
  }

  @Test(
    "a mapping model that Xcode compiled is read",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
  )
  func compiled() throws {
    let folder = "fixtures/coredataplus/Tests/Resources/SampleModel/Fixtures/"
    let model = try NSMappingModel.load(contentsOf: SharedFolder.url(folder + "V2toV3.cdm"))
    #expect(
      model.entityMappings.map(\.name) == [
        "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
      ]
    )
    let cars = try #require(model.entityMappingsByName["CarToCar"])
    #expect(cars.mappingType == .customEntityMappingType)
    #expect(cars.entityMigrationPolicyClassName == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
    #expect(
      cars.sourceExpression?.description
        == #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"), "#
        + "$manager.sourceContext, NO)"
    )
    #expect(cars.attributeMappings?.map(\.name) == ["markedForDeletionAsOf", "model", "numberPlate"])
    #expect(cars.attributeMappings?.first?.valueExpression?.description == "$source.markedForDeletionAsOf")
    #expect(
      cars.relationshipMappings?[1].valueExpression?.description
        == #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owner)"#
    )
    let models = try [2, 3].map {
      try NSManagedObjectModel.load(
        contentsOf: SharedFolder.url(folder + "SampleModel.momd/SampleModel\($0).mom")
      )
    }
    #expect(MappingModelSearch(source: models[0], destination: models[1]).isFitting(model))
    #expect(!MappingModelSearch(source: models[1], destination: models[0]).isFitting(model))
  }

  @Test("a mapping model is found in a bundle by its versions")
  func search() throws {
    guard SharedFolder.isAvailable else { return }
    let folder = try TemporaryFolder()
    let bundle = folder.url.appendingPathComponent("Models.bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let fixtures = SharedFolder.url("fixtures/coredataplus/Tests/Resources/SampleModel/Fixtures")
    try FileManager.default.copyItem(
      at: fixtures.appendingPathComponent("V2toV3.cdm"),
      to: bundle.appendingPathComponent("V2toV3.cdm")
    )
    let models = try [2, 3].map {
      try NSManagedObjectModel.load(
        contentsOf: fixtures.appendingPathComponent("SampleModel.momd/SampleModel\($0).mom")
      )
    }
    let bundles = [try #require(Bundle(url: bundle))]
    let found = NSMappingModel(from: bundles, forSourceModel: models[0], destinationModel: models[1])
    #expect(found?.entityMappings.count == 5)
    #expect(NSMappingModel(from: bundles, forSourceModel: models[1], destinationModel: models[0]) == nil)
  }

  @Test("an invalid mapping model is refused with the file and the reason")
  func broken() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("broken.cdm")
    #expect(NSMappingModel(contentsOf: file) == nil)
    for data in [Data(), Data("no archive".utf8), try NSManagedObjectModel().document.archivedForStore()] {
      try data.write(to: file)
      #expect(NSMappingModel(contentsOf: file) == nil)
      do {
        _ = try NSMappingModel.load(contentsOf: file)
        Issue.record("it was read")
      } catch {
        #expect("\(error)".contains(file.path))
      }
    }
  }
}
