import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("Descriptions of objects")
struct ObjectDescriptionTests {
  @Test("a new object prints its entity, its ID, and its values by name")
  func inserted() throws {
    let stack = try Stack(.inMemory)
    let note = stack.note("Bread and salt", rating: 5, tags: [stack.tag("Tips")])
    note.createdAt = Date(timeIntervalSince1970: 1_400_000_000)
    #expect(
      masked(note) == """
        <Note: 0x…> (entity: Note; id: 0x… <x-coredata:///Note/t…>; data: {
            body = nil;
            category = nil;
            createdAt = "2014-05-13 16:53:20 +0000";
            draft = nil;
            identifier = nil;
            isPinned = nil;
            link = nil;
            medium = nil;
            pages =     (
            );
            price = nil;
            rating = 5;
            ratio = nil;
            share = nil;
            small = nil;
            tags =     (
                "0x… <x-coredata:///Tag/t…>"
            );
            title = "Bread and salt";
        })
        """
    )
    #expect(masked(note.objectID) == "0x… <x-coredata:///Note/t…>")
    #expect("\([note])" == "[\(note)]")
  }

  @Test("each type of attribute prints its value as a person reads it")
  func values() throws {
    let stack = try Stack(.inMemory)
    let note = stack.note("x")
    func printed(_ key: String, _ value: Any?) -> String? {
      note.setValue(value, forKey: key)
      let lines = note.description.split(separator: "\n")
      return lines.first { $0.hasPrefix("    \(key) = ") }.map {
        String($0.dropFirst(7 + key.count).dropLast())
      }
    }
    #expect(printed("isPinned", true) == "1")
    #expect(printed("rating", Int64(-7)) == "\"-7\"")
    #expect(printed("ratio", 2.5) == "\"2.5\"")
    #expect(printed("share", Float(0.1)) == "\"0.1\"")
    #expect(printed("price", Decimal(string: "19.90")) == "\"19.9\"")
    #expect(printed("body", Data([1, 2, 255])) == "{length = 3, bytes = 0x0102ff}")
    #expect(
      printed("body", Data(0..<40))
        == "{length = 40, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 20212223 24252627 }"
    )
    let identifier = try #require(UUID(uuidString: "A9C3F1E0-0000-4000-8000-000000000001"))
    #expect(printed("identifier", identifier) == "\"A9C3F1E0-0000-4000-8000-000000000001\"")
    #expect(printed("link", URL(string: "https://example.org/a?b")) == "\"https://example.org/a?b\"")
    #expect(printed("createdAt", Date(timeIntervalSinceReferenceDate: .nan)) == "\"<not a date>\"")
    #expect(
      printed("createdAt", Date(timeIntervalSinceReferenceDate: 1e300)) == "\"<description unavailable>\""
    )
  }

  @Test("texts are quoted where necessary, and invisible characters are escaped")
  func texts() throws {
    #expect(DescriptionNode.quoted("One") == "One")
    #expect(DescriptionNode.quoted("") == "\"\"")
    #expect(DescriptionNode.quoted("nil?") == "\"nil?\"")
    #expect(DescriptionNode.quoted("a \"b\"\\\n\t\r") == #""a \"b\"\\\n\t\r""#)
    #expect(DescriptionNode.quoted("\0\u{1b}[31m\u{7f}\u{85}") == #""\U0000\U001b[31m\U007f\U0085""#)
    #expect(DescriptionNode.quoted("a\u{202E}b\u{2028}c") == #""a\U202eb\U2028c""#)
    #expect(DescriptionNode.quoted("Skłodowska 日本 👩‍👧") == "\"Skłodowska 日本 👩‍👧\"")
  }

  @Test("a long text is shortened after 500 scalars, wherever these end")
  func longTexts() throws {
    let stack = try Stack(.inMemory)
    let note = stack.note(String(repeating: "é", count: 700))
    let short = String(repeating: "é", count: 500)
    #expect(note.description.contains("title = \"\(short)(...and 400 more bytes...)\";"))
    note.title = String(repeating: "a", count: 500)
    #expect(note.description.contains("title = \(String(repeating: "a", count: 500));"))
    note.title = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(note.description.utf8.count < 4_000)
  }

  @Test("a to-many relationship prints ten IDs and how many more there are")
  func manyDestinations() throws {
    let stack = try Stack(.inMemory)
    let category = stack.category("All")
    for number in 0..<64 { stack.note("\(number)", category) }
    let text = category.description
    #expect(text.components(separatedBy: "/Note/t").count == 11)
    #expect(text.contains("\"(...and 54 more...)\""))
  }

  @Test("printing a fault neither fires it nor reads the store", arguments: StoreKind.allCases)
  func fault(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("One", stack.category("All"), tags: [stack.tag("Tips")])
    try stack.save()
    stack.context.reset()
    let note = try #require(try stack.fetch(Note.self).first)
    let counter = try CountingChannel.install(in: stack.context)
    #expect(masked(note).hasPrefix("<Note: 0x…> (entity: Note; id: 0x"))
    #expect(note.description.hasSuffix("; data: <fault>)"))
    #expect(note.isFault && counter.count == 0)

    #expect(note.title == "One")
    let asked = counter.count
    let text = masked(note)
    #expect(text.contains("tags = \"<relationship fault: 0x… 'tags'>\";"))
    #expect(text.contains("category = \"0x… <x-coredata://STORE/Category/p"))
    #expect(note.hasFault(forRelationshipNamed: "tags") && counter.count == asked)
    #expect(note.category?.isFault == true)
    let fired = counter.count
    _ = "\(note) \(note.debugDescription) \(note.objectID)"
    #expect(note.category?.isFault == true && counter.count == fired)
  }

  @Test("equal IDs print alike, and the object prints its ID as the ID prints itself")
  func identity() throws {
    let stack = try Stack(.sqlite)
    let note = stack.note("One")
    try stack.save()
    let other = try #require(try stack.fetch(Note.self, in: stack.newContext()).first)
    // The description is the same before and after the first access to the object's ID.
    let before = other.description
    #expect(other.objectID == note.objectID && "\(other.objectID)" == "\(note.objectID)")
    #expect(before == other.description && before.contains("id: \(note.objectID);"))
    #expect(masked(note.objectID) == "0x… <x-coredata://STORE/Note/p1>")
    #expect(note.objectID.uriRepresentation().absoluteString.hasSuffix("/Note/p1"))
  }

  @Test("objects print without a context or a store, deleted, and after their class was replaced")
  func withoutSurroundings() throws {
    let stack = try Stack(.sqlite)
    var context: NSManagedObjectContext? = stack.newContext()
    let made = Note(context: try #require(context))
    made.title = "One"
    made.tags = [Tag(context: try #require(context))]
    try context?.save()
    context = nil
    #expect(made.description.contains("title = One;"))
    #expect(made.description.contains("/Note/p1>"))

    let deleted = stack.note("Two")
    try stack.save()
    stack.context.delete(deleted)
    #expect(deleted.description.contains("title = Two;"))
    try stack.save()
    #expect(masked(deleted).hasPrefix("<Note: 0x…> (entity: Note; id: 0x…"))

    let kept = stack.note("Three")
    try stack.save()
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    #expect(kept.description.contains("title = Three;"))
    #expect(NSManagedObject().description.contains("(entity: NSManagedObject; id: 0x"))
    #expect(masked(NSManagedObjectID()) == "0x… <x-coredata:///NSManagedObject/t…>")
  }

  @Test("objects of a context that is in its own work on another thread print")
  func otherQueues() async throws {
    let stack = try Stack(.inMemory)
    let note = UncheckedSendable(stack.note("One"))
    await stack.context.perform { note.value.title = "Two" }
    #expect(note.value.description.contains("title = Two;"))
    // The object is in the state that it has while confinement is debugged.
    note.value.state.insert(.guarded)
    #expect(note.value.description.contains("title = Two;"))
    note.value.state.remove(.guarded)
    // The queue is busy during the block, so no other work runs on it.
    stack.context.performAndWait {
      let printed = Mutex("")
      let hasPrinted = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        printed.withLock { $0 = "\(note.value) \(note.value.objectID)" }
        hasPrinted.signal()
      }
      hasPrinted.wait()
      #expect(printed.withLock { $0 }.contains("title = Two;"))
    }
  }

  @Test("composite values print as dictionaries, and objects of an application are not asked")
  func objectsInside() throws {
    let stack = try Stack.graph(.inMemory)
    let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: stack.context)
    place.setValue(["latitude": 52.5, "label": "Berlin"], forKey: "position")
    #expect(
      masked(place) == """
        <NSManagedObject: 0x…> (entity: Place; id: 0x… <x-coredata:///Place/t…>; data: {
            label = nil;
            position =     {
                label = Berlin;
                latitude = "52.5";
            };
        })
        """
    )
    #expect(DescriptionNode.value(place, asksObjects: false).text() == "\"(...not nil..)\"")
    let deep: [Any] = [[[[[[1]]]]]]
    #expect(DescriptionNode.value(deep).text().contains("\"(...)\""))
    #expect(DescriptionNode.value(Optional<Any>.some(Optional<Int>.some(3) as Any) as Any).text() == "3")
    #expect(DescriptionNode.value(Optional<Int>.none as Any).text() == "nil")
  }

  @Test("an unreadable value prints as such, and printing does not report it")
  func failures() throws {
    let stack = try Stack(.inMemory)
    let note = stack.note("One")
    let slot = try #require(note.layout.slots.firstIndex { $0.name == "body" })
    note.rowAtHand?.fail(slot, failure: ValueFailure(error: FailingChannel.error))
    #expect(note.description.contains("body = \"<value that cannot be read>\";"))
    #expect(stack.context.readingFailure == nil)
  }
}
