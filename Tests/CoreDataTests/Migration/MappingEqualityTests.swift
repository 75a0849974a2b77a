import CoreData
import Foundation
import TestSupport
import Testing

/// Mapping models are compared by value: two readings of one file are equal.
@Suite("Equal mapping models")
struct MappingEqualityTests {
  private static let sample = "fixtures/coredataplus/Tests/Resources/SampleModel/Fixtures/V2toV3.cdm"

  /// Infers a new mapping between the same two models.
  private func inferred() throws -> NSMappingModel {
    let old = try VersionedStore.model(
      """
      <entity name="Note"><attribute name="title" attributeType="String" optional="YES"/></entity>
      <entity name="Tag"/>
      """
    )
    let new = try VersionedStore.model(
      """
      <entity name="Note"><attribute name="name" elementID="title" attributeType="String" optional="YES"/>
      <relationship name="tag" optional="YES" maxCount="1" destinationEntity="Tag"/></entity><entity name="Tag"/>
      """
    )
    return try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
  }

  /// The mapping of the entity `Note` in a mapping model.
  private func note(of model: NSMappingModel) throws -> NSEntityMapping {
    try #require(model.entityMappings.first { $0.destinationEntityName == "Note" })
  }

  @Test("Two inferences between the same models are equal and have the same hash")
  func inferredTwice() throws {
    let (one, other) = (try inferred(), try inferred())
    #expect(one !== other)
    #expect(one == other)
    #expect(one.hash == other.hash)
    #expect(Set([one, other]).count == 1)
    #expect(try note(of: one) == note(of: other))
    #expect(try note(of: one).hash == note(of: other).hash)
    #expect(try note(of: one).attributeMappings == note(of: other).attributeMappings)
  }

  @Test(
    "A compiled mapping model that was read twice is equal",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
  )
  func readTwice() throws {
    let url = SharedFolder.url(Self.sample)
    let one = try #require(NSMappingModel(contentsOf: url))
    let other = try #require(NSMappingModel(contentsOf: url))
    #expect(one == other)
    #expect(one.entityMappings == other.entityMappings)
    #expect(try one != inferred())
  }

  /// A change of one property of a mapping.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (NSEntityMapping) -> Void
  }

  static let changes = [
    Change(testDescription: "name") { $0.name = "another" },
    Change(testDescription: "mappingType") { $0.mappingType = .customEntityMappingType },
    Change(testDescription: "sourceEntityName") { $0.sourceEntityName = "Tag" },
    Change(testDescription: "sourceEntityVersionHash") { $0.sourceEntityVersionHash = Data([1]) },
    Change(testDescription: "destinationEntityName") { $0.destinationEntityName = "Tag" },
    Change(testDescription: "destinationEntityVersionHash") { $0.destinationEntityVersionHash = nil },
    Change(testDescription: "entityMigrationPolicyClassName") {
      $0.entityMigrationPolicyClassName = "Policy"
    },
    Change(testDescription: "sourceExpression") { $0.sourceExpression = NSExpression(format: "$source") },
    Change(testDescription: "attributeMappings") { $0.attributeMappings = [] },
    Change(testDescription: "relationshipMappings") { $0.relationshipMappings = nil },
    Change(testDescription: "userInfo") { $0.userInfo = ["author": "Ada"] },
    Change(testDescription: "the name of a property") { $0.attributeMappings?.first?.name = "another" },
    Change(testDescription: "the expression of a property") {
      $0.attributeMappings?.first?.valueExpression = NSExpression(format: "$source.another")
    },
    Change(testDescription: "the user info of a property") {
      $0.attributeMappings?.first?.userInfo = ["unit": "m"]
    },
  ]

  @Test("A mapping model differs from another in which one mapping was changed", arguments: changes)
  func changed(_ change: Change) throws {
    let (one, other) = (try inferred(), try inferred())
    change.apply(try note(of: other))
    #expect(one != other)
    change.apply(try note(of: one))
    #expect(one == other)
    #expect(one.hash == other.hash)
  }

  @Test("The number and the order of the entity mappings count")
  func order() throws {
    let (one, other) = (try inferred(), try inferred())
    other.entityMappings.reverse()
    #expect(one != other)
    other.entityMappings = Array(one.entityMappings.dropLast())
    #expect(one != other)
    #expect(NSMappingModel() == NSMappingModel())
  }

  @Test("A mapping is not equal to an object of another class")
  func otherClasses() throws {
    #expect(!NSMappingModel().isEqual(NSEntityMapping()))
    #expect(!NSEntityMapping().isEqual(NSPropertyMapping()))
    #expect(!NSPropertyMapping().isEqual("a text"))
    #expect(!NSPropertyMapping().isEqual(nil))
  }
}
