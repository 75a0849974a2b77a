import CoreData
import Foundation
import Testing

@Suite("Dictionaries of rows")
struct RowDictionaryTests {
  private func fetch(_ stack: Stack, _ entity: String, _ properties: [Any]? = nil) throws -> [NSDictionary] {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = properties
    request.includesPendingChanges = false
    return try stack.context.fetch(request)
  }

  @Test("row dictionaries have all values, and no key for a missing one", arguments: StoreKind.allCases)
  func values(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("a", rating: 7)
    let (day, identifier) = (Date(timeIntervalSinceReferenceDate: 1000), UUID())
    note.createdAt = day
    note.setValue(true, forKey: "isPinned")
    note.setValue(2.5, forKey: "ratio")
    note.setValue(Decimal(string: "1.5"), forKey: "price")
    note.setValue(Data([1, 2]), forKey: "body")
    note.setValue(identifier, forKey: "identifier")
    note.setValue(URL(string: "https://example.org"), forKey: "link")
    try stack.save()
    let names = [
      "title", "rating", "createdAt", "isPinned", "ratio", "price", "body", "identifier", "link", "small",
    ]
    let found = try #require(try fetch(stack, "Note", names).first)
    #expect(found["title"] as? String == "a")
    #expect(found["rating"] as? Int == 7)
    #expect(found["createdAt"] as? Date == day)
    #expect(found["isPinned"] as? Bool == true)
    #expect(found["ratio"] as? Double == 2.5)
    #expect(found["price"] as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
    #expect(found["body"] as? Data == Data([1, 2]))
    #expect(found["identifier"] as? UUID == identifier)
    #expect(found["link"] as? URL == URL(string: "https://example.org"))
    #expect(found["small"] == nil && found.count == 9)
  }

  @Test("row dictionaries are Foundation's, and cast to Swift's", arguments: StoreKind.allCases)
  func casts(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for name in ["a", "b"] { _ = stack.tag(name) }
    try stack.save()
    let found = try #require(try fetch(stack, "Tag") as? [[String: Any]])
    #expect(found.compactMap { $0["name"] as? String }.sorted() == ["a", "b"])
  }

  @Test("row dictionaries have IDs of to-one relationships, null if none", arguments: StoreKind.allCases)
  func relationships(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    stack.note("a", category)
    stack.note("b")
    try stack.save()
    let found = try fetch(stack, "Note", ["title", "category"])
    let ids = Dictionary(uniqueKeysWithValues: found.map { ($0["title"] as? String, $0["category"]) })
    #expect(ids["a"] as? NSManagedObjectID == category.objectID)
    #expect(found.count { $0["category"] == nil } == 1)
  }

  @Test("row dictionaries know the columns of each fetched entity", arguments: StoreKind.allCases)
  func subentities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    Person(context: stack.context).name = "person"
    let employee = Employee(context: stack.context)
    employee.name = "employee"
    employee.salary = 3
    try stack.save()
    let found = try fetch(stack, "Person", ["name"])
    #expect(Set(found.compactMap { $0["name"] as? String }) == ["person", "employee"])
    #expect(try fetch(stack, "Employee").map { $0["salary"] as? Double } == [3])
  }

  @Test(
    "row dictionaries have stored values, or unsaved changes if they are requested",
    arguments: StoreKind.allCases
  )
  func pendingChanges(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let tag = stack.tag("a")
    try stack.save()
    tag.name = "b"
    #expect(try fetch(stack, "Tag").map { $0["name"] as? String } == ["a"])
    let request = NSFetchRequest<NSDictionary>(entityName: "Tag")
    request.resultType = .dictionaryResultType
    #expect(try stack.context.fetch(request).map { $0["name"] as? String } == ["b"])
  }

  @Test("row dictionaries of several stores are sorted by values that some lack")
  func severalStores() throws {
    let (stack, other) = (try Stack(.sqlite), try Stack(.sqlite))
    try other.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: other.folder.appendingPathComponent("second.sqlite")
    )
    for stack in [stack, other] {
      let stores = stack.coordinator.persistentStores
      for (rating, title) in ["c", "a", "b"].enumerated() {
        let note = stack.note(title, rating: Int64(rating))
        stack.context.assign(note, to: stores[rating % stores.count])
      }
      try stack.save()
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["rating"]
      request.sortDescriptors = [.byTitle]
      #expect(try stack.context.fetch(request).map { $0["rating"] as? Int } == [1, 2, 0])
    }
  }
}
