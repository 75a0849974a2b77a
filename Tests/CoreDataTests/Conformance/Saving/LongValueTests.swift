import CoreData
import Foundation
import Testing

@Suite("Long values of attributes with an index")
struct LongValueTests {
  private static func attribute(_ name: String, _ type: String) -> String {
    #"<attribute name="\#(name)" attributeType="\#(type)" optional="YES"/>"#
  }

  private static func index(_ name: String, _ properties: String...) -> String {
    let elements = properties.map {
      #"<fetchIndexElement property="\#($0)" type="Binary" order="ascending"/>"#
    }
    return "<fetchIndex name=\"\(name)\">\(elements.joined())</fetchIndex>"
  }

  /// Texts and data with their own indexes and one shared index, and a text that is derived from another one.
  private static let model =
    """
    <entity name="Note">\(attribute("text", "String"))\(attribute("data", "Binary"))\(attribute("name", "String"))\
    <attribute name="folded" attributeType="String" optional="YES" derived="YES" \
    derivationExpression="canonical:(text)"/>\
    \(index("byText", "text"))\(index("byData", "data"))\(index("byFolded", "folded"))\
    \(index("byBoth", "name", "text", "data"))</entity>
    """

  /// The lengths of texts, on both sides of the limit for an index of a server.
  private static let lengths = [10, 2_000, 3_000, 9_000]

  private func found(_ format: String, _ value: Any, in stack: Stack) throws -> [String?] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: format, argumentArray: [value])
    return try stack.newContext().fetch(request).map { $0.value(forKey: "name") as? String }
  }

  private func expectAll(_ lengths: [Int], in stack: Stack) throws {
    for length in lengths {
      let text = LongText.text(UInt64(length), count: length)
      #expect(try found("text == %@", text, in: stack) == ["\(length)"], "\(length)")
      #expect(try found("data == %@", Data(text.utf8), in: stack) == ["\(length)"], "\(length)")
    }
  }

  private func values(_ length: Int) -> [String: Any] {
    let text = LongText.text(UInt64(length), count: length)
    return ["name": "\(length)", "text": text, "data": Data(text.utf8)]
  }

  @Test(
    "objects with texts and data of any length are saved, changed and found",
    arguments: StoreKind.keepingRules
  )
  func saved(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: VersionedStore.model(Self.model))
    for length in Self.lengths {
      stack.context.make("Note", values(length))
      try stack.save()
    }
    try expectAll(Self.lengths, in: stack)
    let notes = try stack.context.all("Note")
    for (note, length) in zip(notes, Self.lengths.reversed()) {
      for (key, value) in values(length) { note.setValue(value, forKey: key) }
    }
    try stack.save()
    try expectAll(Self.lengths, in: stack)
    let longest = try #require(try stack.newContext().all("Note").last?.text("folded"))
    #expect(try found("folded == %@", longest, in: stack) == ["9000"])
  }

  @Test("a batch insertion takes texts and data of any length", arguments: StoreKind.takingBatches)
  func inserted(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: VersionedStore.model(Self.model))
    let objects = Self.lengths.map { values($0) }
    try stack.context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
    try expectAll(Self.lengths, in: stack)
  }

  @Test("a batch update gives a long text to an attribute with an index", arguments: StoreKind.takingBatches)
  func updated(_ kind: StoreKind) throws {
    let stack = try Stack(kind, model: VersionedStore.model(Self.model))
    stack.context.make("Note", values(10))
    try stack.save()
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.propertiesToUpdate = ["text": LongText.text(1)]
    try stack.context.execute(request)
    #expect(try found("text == %@", LongText.text(1), in: stack) == ["10"])
  }
}
