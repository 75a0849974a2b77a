import Foundation
import Testing

@testable import ModelFormats

@Suite("Compiling a model")
struct CompilingTests {
  @Test(
    "an Apple-made model read and written again describes the same model",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: ModelFixtures.compiled
  )
  func appleMade(path: String) throws {
    let document = try ModelDocument(compiled: try Data(contentsOf: ModelFixtures.url(path)), file: path)
    let written = try document.compiled()
    let again = try ModelDocument(compiled: written, file: "written")
    #expect(again == document)
    #expect(again.contents == document.contents)
    #expect(try again.compiled() == written)
  }

  @Test(
    "a source loses only what a compiled model cannot contain",
    .enabled(if: ModelFixtures.available, "\(ModelFixtures.reason)"),
    arguments: ModelFixtures.contents
  )
  func losesNothing(path: String) throws {
    let document = try ModelDocument(contents: try Data(contentsOf: ModelFixtures.url(path)), file: path)
    let again = try ModelDocument(compiled: try document.compiled(), file: "written")
    #expect(lines(again) == lines(document))
    let cached = try ModelDocument(compiled: try document.archivedForStore(), file: "cached")
    #expect(cached == again)
  }

  @Test("equal models give the same bytes, in any order of their elements")
  func sameBytes() throws {
    let document = try ModelDocument(contents: Data(Self.everything.utf8))
    var turned = document
    turned.entities.reverse()
    for index in turned.entities.indices {
      turned.entities[index].attributes.reverse()
      turned.entities[index].relationships.reverse()
    }
    turned.configurations.reverse()
    turned.fetchRequests.reverse()
    #expect(try turned.compiled() == document.compiled())
  }

  @Test("all contents of a model are read back")
  func everythingComesBack() throws {
    let document = try ModelDocument(contents: Data(Self.everything.utf8))
    let again = try ModelDocument(compiled: try document.compiled())
    #expect(lines(again) == lines(document))
    #expect(again.unknownParts == document.unknownParts.map { $0.replacing(#/^line \d+: /#, with: "") })
  }

  @Test("Foundation reads the archive as a property list with Apple's keys")
  func keys() throws {
    let document = try ModelDocument(contents: Data(Self.everything.utf8))
    let list = try PropertyListSerialization.propertyList(from: document.compiled(), format: nil)
    let archive = try #require(list as? [String: Any])
    #expect(archive["$version"] as? Int == 100_000)
    #expect(archive["$archiver"] as? String == "NSKeyedArchiver")
    let objects = try #require(archive["$objects"] as? [Any])
    let named = objects.compactMap { $0 as? [String: Any] }.filter { $0["NSPropertyName"] != nil }
    #expect(named.allSatisfy { $0["_P"] is Int || $0["NSFetchIndexDescription"] != nil })
  }

  @Test("conditions that no archive is known of are kept as texts")
  func validations() throws {
    var attribute = ModelDocument.Attribute(name: "title", type: .string)
    attribute.validations = [
      .init(predicate: "SELF CONTAINS \"a\""), .init(predicate: "SELF BEGINSWITH \"b\""),
    ]
    attribute.validations[0].warning = "There has to be an a."
    attribute.validations[1].code = 1700
    var entity = ModelDocument.Entity(name: "Note")
    entity.attributes = [attribute]
    var document = ModelDocument()
    document.entities = [entity]
    let again = try ModelDocument(compiled: try document.compiled())
    #expect(again.entities[0].attributes[0].validations == attribute.validations)
  }

  @Test("classes of the module get its name when it is given, and only then")
  func module() throws {
    let document = try ModelDocument(contents: Data(Self.everything.utf8))
    let named = try ModelDocument(compiled: try document.compiled(module: "Notes"))
    #expect(named.entity(named: "Note")?.representedClassName == "Notes.Note")
    let unnamed = try ModelDocument(compiled: try document.compiled())
    #expect(unnamed.entity(named: "Note")?.representedClassName == ".Note")
  }

  @Test("a model that makes no sense is refused with its place")
  func refused() {
    var document = ModelDocument()
    document.entities = [.init(name: "A"), .init(name: "A")]
    #expect {
      _ = try document.compiled(file: "M")
    } throws: {
      $0.localizedDescription.hasPrefix("M: entity A, name:")
    }
  }

  /// The lines of the XML in a fixed order, without attributes that have their default value.
  private func lines(_ document: ModelDocument) -> [Substring] {
    var document = document
    document.diagram = nil
    document.name = nil
    document.lastSavedToolsVersion = nil
    document.systemVersion = nil
    document.minimumToolsVersion = nil
    document.macOSVersion = nil
    document.iOSVersion = nil
    document.composites.sort { $0.name < $1.name }
    for index in document.entities.indices { simplify(&document.entities[index]) }
    document.entities.sort { $0.name < $1.name }
    document.fetchRequests.sort { $0.name < $1.name }
    for index in document.configurations.indices {
      document.configurations[index].members.sort { $0.name < $1.name }
    }
    document.configurations.sort { $0.name < $1.name }
    return document.contents.split(separator: "\n")
  }

  private func simplify(_ entity: inout ModelDocument.Entity) {
    if entity.representedClassName == "NSManagedObject" { entity.representedClassName = nil }
    for index in entity.relationships.indices {
      let relationship = entity.relationships[index]
      entity.relationships[index].minCount = relationship.effectiveMinCount
      entity.relationships[index].maxCount = relationship.effectiveMaxCount
      entity.relationships[index].deletionRule = relationship.deletionRule ?? .nullify
      entity.relationships[index].userInfo?.sort { $0.key < $1.key }
    }
    for index in entity.attributes.indices {
      entity.attributes[index].userInfo?.sort { $0.key < $1.key }
    }
    for index in entity.fetchIndexes.indices {
      for element in entity.fetchIndexes[index].elements.indices {
        let kind = entity.fetchIndexes[index].elements[element].kind
        entity.fetchIndexes[index].elements[element].kind = kind ?? .binary
        let order = entity.fetchIndexes[index].elements[element].order
        entity.fetchIndexes[index].elements[element].order = order ?? .ascending
      }
    }
    entity.userInfo?.sort { $0.key < $1.key }
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    entity.fetchedProperties.sort { $0.name < $1.name }
  }

  /// A model that uses every feature of the format.
  static let everything = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" \
    usedWithCloudKit="YES" userDefinedModelVersionIdentifier="7" colour="red">
      <entity name="Note" representedClassName=".Note" parentEntity="Item" syncable="YES" \
    codeGenerationType="class" elementID="OldNote" versionHashModifier="x" \
    coreSpotlightDisplayNameExpression="title" shade="dark">
        <attribute name="title" attributeType="String" defaultValueString="Ünicode" minValueString="3" \
    maxValueString="50" regularExpressionString="[a-z]+" spotlightIndexingEnabled="YES" \
    storedInTruthFile="YES" syncable="YES" allowsCloudEncryption="YES" indexed="YES" elementID="name"/>
        <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="-12.50" \
    minValueString="-100000000000000000000" maxValueString="1e3"/>
        <attribute name="count" attributeType="Integer 16" defaultValueString="0.0" minValueString="-4" \
    usesScalarValueType="YES"/>
        <attribute name="weight" attributeType="Double" defaultValueString="0.1" usesScalarValueType="NO"/>
        <attribute name="done" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="made" attributeType="Date" defaultDateTimeInterval="388411200.5" \
    minDateTimeInterval="-5" maxDateTimeInterval="602395200"/>
        <attribute name="key" optional="YES" attributeType="UUID" \
    defaultValueString="8D1A1E2A-4C73-4C06-8B4F-3C4E1B7C0E11"/>
        <attribute name="link" optional="YES" attributeType="URI" \
    defaultValueString="https://example.org/a?b=c"/>
        <attribute name="image" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
        <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="T" \
    customClassName=".Colour" versionHashModifier="2"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
        <attribute name="size" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="tags.@count"/>
        <attribute name="small" optional="YES" attributeType="String" derived="YES" \
    derivationExpression="lowercase:(title)"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
    minCount="1" maxCount="9" destinationEntity="Tag" inverseName="note" inverseEntity="Tag" syncable="YES">
          <userInfo><entry key="a" value="b"/></userInfo>
        </relationship>
        <fetchedProperty name="alike" optional="YES" syncable="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Note" \
    predicateString="title == $FETCH_SOURCE.title AND NOT (count IN {1, 2})" returnDistinctResults="YES"/>
        </fetchedProperty>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="descending"/>
          <fetchIndexElement property="count" type="RTree" order="ascending"/>
        </fetchIndex>
        <fetchIndex name="computed">
          <fetchIndexElement expression="lowercase:(title)" expressionType="String" type="Binary" \
    order="ascending"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="title"/><index value="done"/></compoundIndex>\
    </compoundIndexes>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/><constraint value="count"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="key"/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key="one" value="1"/><entry key="two" value=""/></userInfo>
      </entity>
      <entity name="Item" representedClassName="" isAbstract="YES"/>
      <entity name="Tag">
        <relationship name="note" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Note" \
    inverseName="tags" inverseEntity="Note"/>
        <relationship name="alone" optional="YES" transient="YES" toMany="YES" deletionRule="No Action" \
    destinationEntity="Item"/>
      </entity>
      <fetchRequest name="Long" entity="Note" predicateString="title.length  &gt; 3 OR title LIKE 'a*'" \
    fetchLimit="5" fetchBatchSize="2" includeSubentities="NO" includePropertyValues="YES"/>
      <fetchRequest name="All" entity="Tag" predicateString="TRUEPREDICATE" resultType="1"/>
      <configuration name="Local"><memberEntity name="Tag"/></configuration>
      <configuration name="Cloud" usedWithCloudKit="YES">
        <memberEntity name="Item"/><memberEntity name="Note"/>
      </configuration>
      <composite name="Place">
        <attribute name="x" attributeType="Double" usesScalarValueType="YES"/>
        <attribute name="inner" attributeType="Composite" composite="Inner"/>
      </composite>
      <composite name="Inner"><attribute name="y" optional="YES" attributeType="Float"/></composite>
    </model>
    """
}
