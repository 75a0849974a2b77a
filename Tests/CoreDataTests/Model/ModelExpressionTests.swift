import Foundation
import ModelFormats
import Testing

@testable import CoreData

@Suite("Expressions and requests in a model file")
struct ModelExpressionTests {
  private func model(_ lines: String) throws -> NSManagedObjectModel {
    let text = "<model>\n\(lines)\n</model>"
    return try NSManagedObjectModel(
      document: try ModelDocument(contents: Data(text.utf8), file: "M"),
      file: "M"
    )
  }

  @Test(
    "all forms of expressions of derived attributes are read from a model file",
    arguments: [
      "now()", "canonical:(name)", "uppercase:(name)", "lowercase:(name)", "name", "author.name",
      "pages.@count", "count:(pages)", "pages.length.@sum",
    ]
  )
  func derived(format: String) throws {
    let model = try model(
      """
      <entity name="E"><attribute name="d" optional="YES" attributeType="String" derived="YES"
        derivationExpression="\(format)"/></entity>
      """
    )
    let attribute = model.entitiesByName["E"]?.attributesByName["d"] as? NSDerivedAttributeDescription
    #expect(attribute?.derivationExpression?.description == format)
    #expect(model.document.entities[0].attributes[0].derivationExpression == format)
  }

  @Test("invalid expressions in a model file are refused with their position")
  func broken() {
    func message(_ lines: String) -> String {
      do {
        _ = try model(lines)
        return ""
      } catch {
        return error.localizedDescription
      }
    }
    let derived = """
      <entity name="E"><attribute name="d" attributeType="Date" derived="YES" derivationExpression="now("/></entity>
      """
    #expect(
      message(derived).hasPrefix(
        "M:2: entity E, attribute d, derivationExpression: \"now(\" is not an expression"
      )
    )
    let request = "<entity name=\"E\"/>\n<fetchRequest name=\"r\" entity=\"E\" predicateString=\"a ==\"/>"
    #expect(message(request).hasPrefix("M:3: fetchRequest r, predicateString: \"a ==\" is not a predicate"))
  }

  @Test("fetch request templates are filled in with values")
  func templates() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="age" attributeType="Integer 16"/></entity>
      <fetchRequest name="older" entity="E" predicateString="age &gt; $AGE" fetchLimit="3" includeSubentities="NO"/>
      """
    )
    let request = try #require(
      model.fetchRequestFromTemplate(withName: "older", substitutionVariables: ["AGE": 18])
    )
    #expect(request.predicate?.description == "age > 18")
    #expect(request.entityName == "E")
    #expect(request.fetchLimit == 3)
    #expect(!request.includesSubentities)
    #expect(model.fetchRequestTemplate(forName: "older")?.predicate?.description == "age > $AGE")
    #expect(model.fetchRequestTemplate(forName: "none") == nil)
    #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["older"])
    model.setFetchRequestTemplate(NSFetchRequest(entityName: "E"), forName: "all")
    #expect(model.document.fetchRequests.map(\.name) == ["all", "older"])
    #expect(model.document.fetchRequests.last?.includesSubentities == false)
  }

  @Test("fetch requests of fetched properties do not affect hashes")
  func fetchedProperties() throws {
    let plain = try model("<entity name=\"E\"/>")
    let model = try model(
      """
      <entity name="E"><fetchedProperty name="all" optional="YES">
        <fetchRequest name="fetchedPropertyFetchRequest" entity="E" predicateString="name == $FETCH_SOURCE.name"/>
      </fetchedProperty></entity>
      """
    )
    let entity = try #require(model.entitiesByName["E"])
    let property = try #require(entity.propertiesByName["all"] as? NSFetchedPropertyDescription)
    #expect(property.isTransient)
    #expect(property.fetchRequest?.entityName == "E")
    #expect(property.fetchRequest?.predicate?.description == "name == $FETCH_SOURCE.name")
    #expect(entity.versionHash == plain.entitiesByName["E"]?.versionHash)
    #expect(model.document.entities[0].fetchedProperties.map(\.name) == ["all"])
  }

  @Test("an index may sort by an expression in a model file")
  func expressionIndex() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="a" attributeType="String"/><fetchIndex name="i">
        <fetchIndexElement expression="uppercase:(a)" expressionType="String" type="Binary" order="descending"/>
      </fetchIndex></entity>
      """
    )
    let element = try #require(model.entitiesByName["E"]?.indexes.first?.elements.first)
    let computed = try #require(element.property as? NSExpressionDescription)
    #expect(computed.expression?.description == "uppercase:(a)")
    #expect(computed.resultType == .string)
    #expect(!element.isAscending)
    let part = try #require(model.document.entities[0].fetchIndexes.first?.elements.first)
    #expect(part.expression == "uppercase:(a)")
    #expect(part.expressionType == "String")
    #expect(part.property == nil)
  }
}
