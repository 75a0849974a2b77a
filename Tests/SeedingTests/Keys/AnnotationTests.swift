import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

/// Models with the annotations that the documentation of Groot and of Sync shows, and the JSON of that documentation.
@Suite("Annotations")
struct AnnotationTests {
  /// Numbers that a server sends as strings.
  private final class StringToInteger: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
      (value as? String).flatMap(Int64.init).map { NSNumber(value: $0) }
    }
  }

  /// Takes the name from a list, as in Sync's documentation.
  private final class FirstOfList: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
      (value as? [Any])?.first ?? value
    }
  }

  private final class LegacyRecord: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
      guard var record = value as? [String: Any], let id = record.removeValue(forKey: "legacy_id") else {
        return value
      }
      record["id"] = id
      return record
    }
  }

  private final class MessageMapper: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
      ["text": "TextMessage", "picture": "PictureMessage"][
        (value as? [String: Any])?["type"] as? String ?? ""
      ]
    }
  }

  private func annotated(
    _ name: String,
    _ type: NSAttributeType,
    _ userInfo: [String: String] = [:]
  ) -> NSAttributeDescription {
    let attribute = makeAttribute(name, type)
    attribute.userInfo = userInfo
    return attribute
  }

  private func comics() -> NSManagedObjectModel {
    ValueTransformer.setValueTransformer(
      StringToInteger(),
      forName: NSValueTransformerName("StringToInteger")
    )
    let identifier = ["JSONKeyPath": "id", "JSONTransformerName": "StringToInteger"]
    let character = makeEntity(
      "Character",
      annotated("identifier", .integer64AttributeType, identifier),
      annotated("name", .stringAttributeType, ["JSONKeyPath": "name"]),
      annotated("realName", .stringAttributeType, ["JSONKeyPath": "real_name"]),
      annotated("publisherName", .stringAttributeType, ["JSONKeyPath": "publisher.name"])
    )
    let power = makeEntity(
      "Power",
      annotated("identifier", .integer64AttributeType, identifier),
      annotated("name", .stringAttributeType, ["JSONKeyPath": "name"])
    )
    let publisher = makeEntity(
      "Publisher",
      annotated("identifier", .integer64AttributeType, identifier),
      annotated("name", .stringAttributeType, ["JSONKeyPath": "name"])
    )
    relate(character, "powers", isToMany: true, power, "characters", isToMany: true)
    relate(character, "publisher", isToMany: false, publisher, "characters", isToMany: true)
    for entity in [character, power, publisher] { entity.userInfo = ["identityAttributes": "identifier"] }
    return makeModel([character, power, publisher]) { _ in }
  }

  @Test("a model with Groot's annotations imports the JSON of Groot's documentation")
  func groot() throws {
    let store = try TestStore(.inMemory, comics())
    try store.seed(
      """
      {"characters": [
        {"id": "1699", "name": "Batman", "real_name": "Bruce Wayne",
         "powers": [{"id": "4", "name": "Agility"}, {"id": "9", "name": "Insanely Rich"}],
         "publisher": {"id": "10", "name": "DC Comics"}},
        {"id": "1700", "name": "Robin", "powers": ["4"], "publisher": "10"}]}
      """
    )
    #expect(
      try store.lines("Character", "identifier", "name", "realName", "powers.name", "publisher.identifier")
        == [
          "1699|Batman|Bruce Wayne|Agility,Insanely Rich|10", "1700|Robin|-|Agility|10",
        ]
    )
    #expect(try store.lines("Character", "publisherName") == ["-", "DC Comics"])
    #expect(try store.seed("{\"powers\": [{\"id\": \"4\", \"name\": \"Speed\"}]}").total.updated == 1)
  }

  @Test("a plain seed ignores annotations and uses the model's own names and values")
  func plain() throws {
    let store = try TestStore(.inMemory, comics())
    try store.seed("{\"$plain\": true, \"Power\": [{\"identifier\": 4, \"name\": \"Agility\"}]}")
    #expect(try store.lines("Power", "identifier", "name") == ["4|Agility"])
    let error = #expect(throws: SeedError.self) {
      try store.seed("{\"$plain\": true, \"Power\": [{\"id\": 4}]}")
    }
    #expect(error?.code == .unknownKey)
  }

  @Test("records are transformed and mapped to subentities as Groot does it")
  func recordTransformers() throws {
    ValueTransformer.setValueTransformer(LegacyRecord(), forName: NSValueTransformerName("LegacyRecord"))
    ValueTransformer.setValueTransformer(MessageMapper(), forName: NSValueTransformerName("MessageMapper"))
    let message = makeEntity(
      "Message",
      annotated("identifier", .integer64AttributeType, ["JSONKeyPath": "id"]),
      annotated("kind", .stringAttributeType, ["JSONKeyPath": "type"])
    )
    message.isAbstract = true
    message.userInfo = ["entityMapperName": "MessageMapper", "JSONDictionaryTransformerName": "LegacyRecord"]
    let text = makeEntity("TextMessage", annotated("text", .stringAttributeType))
    let picture = makeEntity("PictureMessage", annotated("imageURL", .stringAttributeType))
    message.subentities = [text, picture]
    let store = try TestStore(.inMemory, makeModel([message, text, picture]) { _ in })
    try store.seed(
      """
      {"messages": [{"id": 1, "type": "text", "text": "Hello there!"},
                    {"legacy_id": 2, "type": "picture", "image_url": "http://example.com/risitas.jpg"}]}
      """
    )
    #expect(try store.lines("TextMessage", "identifier", "text") == ["1|Hello there!"])
    #expect(
      try store.lines("PictureMessage", "identifier", "imageURL") == ["2|http://example.com/risitas.jpg"]
    )
  }

  @Test("a model with Sync's annotations imports the JSON of Sync's documentation")
  func sync() throws {
    ValueTransformer.setValueTransformer(FirstOfList(), forName: NSValueTransformerName("FirstOfList"))
    let user = makeEntity(
      "User",
      annotated("remoteID", .integer64AttributeType),
      annotated("name", .stringAttributeType, ["sync.valueTransformer": "FirstOfList"]),
      annotated("userType", .stringAttributeType),
      annotated("companyName", .stringAttributeType, ["sync.remoteKey": "employer.name"]),
      annotated("createdAt", .dateAttributeType),
      annotated("publishedAt", .dateAttributeType)
    )
    let note = makeEntity(
      "Note",
      annotated("articleBody", .stringAttributeType, ["sync.isPrimaryKey": "true", "sync.remoteKey": "id"]),
      annotated("text", .stringAttributeType)
    )
    relate(user, "notes", isToMany: true, note, "user", isToMany: false)
    let store = try TestStore(.inMemory, makeModel([user, note]) { _ in })
    try store.seed(
      """
      {"users": [
        {"id": 6, "name": ["Shawn Merrill"], "type": "admin", "created_at": "2014-02-14T04:30:10+00:00",
         "published_at": "1441843200", "employer": {"name": "IKEA", "city": "Oslo"},
         "notes": [{"id": "0", "text": "episode 1"}]},
        {"id": 7, "name": "Ann", "notes_ids": ["1", "2"]}],
       "notes": [{"id": "1", "user_id": 7}, {"id": "2"}]}
      """
    )
    #expect(
      try store.lines("User", "remoteID", "name", "userType", "companyName", "notes.articleBody") == [
        "6|Shawn Merrill|admin|IKEA|0", "7|Ann|-|-|1,2",
      ]
    )
    #expect(
      try store.lines("User", "createdAt", "publishedAt").last
        == "2014-02-14 04:30:10 +0000|2015-09-10 00:00:00 +0000"
    )
    #expect(try store.seed("{\"users\": [{\"id\": 7, \"name\": \"Bea\"}]}").total.updated == 1)
  }

  @Test("a key that fits two properties is refused for both")
  func ambiguousSpelling() throws {
    let thing = makeEntity(
      "Thing",
      annotated("a_b", .stringAttributeType),
      annotated("aB", .stringAttributeType)
    )
    let store = try TestStore(.inMemory, makeModel([thing]) { _ in })
    try store.seed("{\"things\": [{\"a_b\": \"1\", \"aB\": \"2\"}]}")
    #expect(try store.lines("Thing", "a_b", "aB") == ["1|2"])
    #expect(throws: SeedError.self) { try store.seed("{\"things\": [{\"AB\": \"1\"}]}") }
  }
}
