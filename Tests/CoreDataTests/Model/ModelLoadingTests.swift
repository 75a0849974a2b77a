import Foundation
import Logging
import ModelFormats
import TestSupport
import Testing

@testable import CoreData

@Suite("A model from a file")
struct ModelLoadingTests {
  private static let xml = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model documentVersion="1.0" userDefinedModelVersionIdentifier="v7">
        <entity name="Person" representedClassName=".Person" isAbstract="YES" elementID="Human">
            <attribute name="active" attributeType="Boolean" defaultValueString="YES"/>
            <attribute name="age" attributeType="Integer 16" minValueString="0" maxValueString="150" defaultValueString="18"/>
            <attribute name="born" optional="YES" attributeType="Date" minDateTimeInterval="0" defaultDateTimeInterval="388411200"/>
            <attribute name="email" optional="YES" attributeType="String" minValueString="3" regularExpressionString="[^@]+@[^@]+"/>
            <attribute name="home" optional="YES" attributeType="URI" defaultValueString="https://example.com"/>
            <attribute name="key" optional="YES" attributeType="UUID" defaultValueString="0E3A1F3C-5A5F-4E5B-9C7A-1D2E3F405162"/>
            <attribute name="price" attributeType="Decimal" defaultValueString="10.11"/>
            <attribute name="spot" optional="YES" attributeType="Composite" composite="Spot"/>
            <attribute name="changed" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
            <relationship name="friends" optional="YES" toMany="YES" ordered="YES" deletionRule="Deny" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            <fetchIndex name="byAge">
                <fetchIndexElement property="age" type="Binary" order="descending"/>
            </fetchIndex>
            <userInfo>
                <entry key="k" value="v"/>
            </userInfo>
        </entity>
        <entity name="Student" representedClassName="Student" parentEntity="Person"/>
        <fetchRequest name="adults" entity="Person" predicateString="age &gt;= 18"/>
        <configuration name="Main">
            <memberEntity name="Student"/>
        </configuration>
        <composite name="Spot">
            <attribute name="x" attributeType="Double" defaultValueString="0.5"/>
        </composite>
    </model>
    """

  private static func model() throws -> NSManagedObjectModel {
    try NSManagedObjectModel(document: try ModelDocument(contents: Data(xml.utf8)))
  }

  @Test("a loaded model has classes, inheritance, user info and renaming identifiers")
  func entities() throws {
    let model = try Self.model()
    let person = try #require(model.entitiesByName["Person"])
    let student = try #require(model.entitiesByName["Student"])
    #expect(person.isAbstract)
    #expect(person.managedObjectClassName == ".Person")
    #expect(person.renamingIdentifier == "Human")
    #expect(person.userInfo?["k"] as? String == "v")
    #expect(student.superentity === person)
    #expect(student.attributesByName["age"]?.entity === person)
    #expect(model.versionIdentifiers == ["v7"])
    #expect(model.entities(forConfigurationName: "Main") == [student])
    #expect(model.fetchRequestTemplate(forName: "adults")?.predicate?.description == "age >= 18")
    #expect(person.indexes.map(\.name) == ["byAge"])
    #expect(person.indexes.first?.elements.first?.property === person.propertiesByName["age"])
    #expect(person.indexes.first?.elements.first?.isAscending == false)
  }

  @Test("a loaded model has default values of the attributes' types")
  func defaults() throws {
    let attributes = try #require(try Self.model().entitiesByName["Person"]).attributesByName
    #expect(attributes["active"]?.defaultValue as? Bool == true)
    #expect(attributes["age"]?.defaultValue as? Int == 18)
    #expect(attributes["born"]?.defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 388_411_200))
    #expect(attributes["home"]?.defaultValue as? URL == URL(string: "https://example.com"))
    #expect(
      attributes["key"]?.defaultValue as? UUID == UUID(uuidString: "0E3A1F3C-5A5F-4E5B-9C7A-1D2E3F405162")
    )
    #expect((attributes["price"]?.defaultValue as? NSDecimalNumber)?.decimalValue == Decimal(string: "10.11"))
    #expect(attributes["email"]?.defaultValue == nil)
    let spot = try #require(attributes["spot"] as? NSCompositeAttributeDescription)
    #expect(spot.elements.map(\.name) == ["x"])
    #expect(spot.elements.first?.defaultValue as? Double == 0.5)
  }

  @Test("a loaded model has inverse relationships")
  func relationships() throws {
    let model = try Self.model()
    let friends = try #require(model.entitiesByName["Person"]?.relationshipsByName["friends"])
    #expect(friends.isToMany)
    #expect(friends.isOrdered)
    #expect(friends.deleteRule == .denyDeleteRule)
    #expect(friends.destinationEntity === model.entitiesByName["Person"])
    #expect(friends.inverseRelationship === friends)
  }

  @Test("a loaded model that is turned into a document again is equal")
  func document() throws {
    let document = try ModelDocument(contents: Data(Self.xml.utf8))
    let again = try NSManagedObjectModel(document: document).document
    #expect(again.entities == document.entities)
    #expect(again.composites == document.composites)
    #expect(again.configurations == document.configurations)
    #expect(again.fetchRequests == document.fetchRequests)
    #expect(again.versionIdentifier == document.versionIdentifier)
  }

  @Test("a broken or missing model file gives nil, and an error that names the file")
  func broken() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelLoadingTests-\(UUID().uuidString).xcdatamodel")
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let text = "<model>\n<entity name=\"A\" parentEntity=\"B\"/>\n</model>"
    try text.write(to: url.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
    #expect {
      _ = try NSManagedObjectModel.load(contentsOf: url)
    } throws: {
      $0.localizedDescription
        == "\(url.path)/contents:2: entity A, parentEntity: there is no entity B in the model"
    }
  }

  @Test("ignored parts of a model file are logged once, but not during the search for a store's model")
  func warnings() throws {
    #expect(LogRecorder.isRecording)
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ModelLoadingTests-\(UUID().uuidString).xcdatamodel")
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let attribute = "<attribute name=\"id\" attributeType=\"UUID\" defaultValueString=\"none\"/>"
    let text = "<model>\n<entity name=\"A\">\(attribute)</entity>\n</model>"
    try text.write(to: url.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    #expect(NSManagedObjectModel.allVersions(of: url).count == 1)
    #expect(!LogRecorder.entries.contains { $0.message.contains(url.path) })
    for _ in 0..<2 {
      let model = try NSManagedObjectModel.load(contentsOf: url)
      #expect(model.entitiesByName["A"]?.attributesByName["id"]?.defaultValue == nil)
    }
    let entries = LogRecorder.entries.filter { $0.message.contains(url.path) }
    #expect(entries.map(\.level) == [.warning])
    #expect(
      entries.first?.message
        == "\(url.path)/contents:2: entity A, attribute id, defaultValueString: \"none\" is not a value of the type UUID, so the attribute has no default value; correct the text or remove it"
    )
  }

  @Test(
    "a model made by Xcode is usable, and keeps its hashes as a document",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"),
    arguments: SharedFolder.contents
  )
  func appleMade(path: String) throws {
    let model = try NSManagedObjectModel.load(contentsOf: SharedFolder.url(path))
    let again = try NSManagedObjectModel(document: model.document)
    #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    model.freeze()
    #expect(model.numberedEntities.count == model.entities.count)
    for entity in model.entities {
      for relationship in entity.allRelationships {
        #expect(relationship.frozenDestination?.managedObjectModel === model)
        #expect(
          relationship.frozenInverse?.frozenInverse === relationship || relationship.frozenInverse == nil
        )
      }
    }
  }
}
