import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("An order by IDs")
struct ObjectOrderTests {
  /// The stores that give later objects greater keys. The tests' atomic store gives random keys.
  private static let givingRisingKeys = StoreKind.allCases.filter { $0 != .atomic }

  private func order(_ key: String?, ascending: Bool = true) -> NSSortDescriptor {
    NSSortDescriptor(key: key, ascending: ascending)
  }

  /// Saved notes whose keys are in another order than their titles.
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    for title in ["c", "a", "d", "b"] {
      stack.note(title)
      try stack.save()
    }
    return stack
  }

  @Test("sorting by ID is sorting by key, equal in all contexts", arguments: StoreKind.allCases)
  func keys(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let keys = try stack.fetch(Note.self).compactMap(\.objectID.primaryKey).sorted()
    for context in [stack.context, stack.newContext()] {
      let rising = try stack.fetch(Note.self, sort: [order("objectID")], in: context)
      #expect(rising.map(\.objectID.primaryKey) == keys)
      let falling = try stack.fetch(Note.self, sort: [order("objectID", ascending: false)], in: context)
      #expect(falling.map(\.objectID.primaryKey) == keys.reversed())
    }
  }

  @Test(
    "sorting by ID is the order of saving, whether the ID or the object is named",
    arguments: givingRisingKeys
  )
  func saved(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    for key in ["objectID", "self", "SELF", "self.objectID", nil] {
      for context in [stack.context, stack.newContext()] {
        let rising = try stack.fetch(Note.self, sort: [order(key)], in: context)
        #expect(rising.map(\.title) == ["c", "a", "d", "b"], "\(key ?? "nil")")
        let falling = try stack.fetch(Note.self, sort: [order(key, ascending: false)], in: context)
        #expect(falling.map(\.title) == ["b", "d", "a", "c"], "\(key ?? "nil")")
      }
    }
  }

  @Test(
    "sorting by ID puts new objects after saved ones, in the order of creation",
    arguments: givingRisingKeys
  )
  func unsaved(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    for title in ["z", "y", "x"] { stack.note(title) }
    for note in try stack.fetch(Note.self) where note.title == "d" { note.rating = 9 }
    let rising = try stack.fetch(Note.self, sort: [order("objectID")])
    #expect(rising.map(\.title) == ["c", "a", "d", "b", "z", "y", "x"])
    let falling = try stack.fetch(Note.self, sort: [order("objectID", ascending: false)])
    #expect(falling.map(\.title) == ["x", "y", "z", "b", "d", "a", "c"])
    try stack.save()
    #expect(try stack.fetch(Note.self, sort: [order("objectID")]) == rising)
    let saved = try stack.fetch(Note.self, sort: [order("objectID")], in: stack.newContext())
    #expect(saved.map(\.title) == rising.map(\.title))
  }

  @Test("sorting by ID works with limits, offsets, IDs and dictionaries", arguments: givingRisingKeys)
  func forms(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let newest = NSFetchRequest<Note>(entityName: "Note")
    newest.sortDescriptors = [order("objectID", ascending: false)]
    (newest.fetchLimit, newest.fetchOffset) = (2, 1)
    #expect(try stack.newContext().fetch(newest).map(\.title) == ["d", "a"])
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    ids.resultType = .managedObjectIDResultType
    ids.sortDescriptors = newest.sortDescriptors
    let all = try stack.fetch(Note.self, sort: [order("objectID", ascending: false)])
    #expect(try stack.context.fetch(ids) == all.map(\.objectID))
    let rows = AggregateRequest(properties: ["title"], sort: [order("objectID", ascending: false)])
    #expect(try stack.context.fetch(rows.request()).map { $0["title"] as? String } == ["b", "d", "a", "c"])
  }

  @Test(
    "sorting by a relationship puts missing objects first, and equal ones in the next order",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func destinations(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try Stack(kind)
    var categories = [stack.category("z"), stack.category("a")]
    try stack.context.obtainPermanentIDs(for: categories)
    categories.sort { $0.objectID.primaryKey ?? 0 < $1.objectID.primaryKey ?? 0 }
    let (first, second) = (categories[0], categories[1])
    for (title, category) in [("a", second), ("b", first), ("c", nil), ("d", second), ("e", first)] {
      stack.note(title, category)
    }
    if isSaved { try stack.save() }
    for key in ["category", "category.objectID"] {
      let found = try stack.fetch(Note.self, sort: [order(key), order("title", ascending: false)])
      #expect(found.map(\.title) == ["c", "e", "b", "d", "a"], "\(key)")
    }
    let groups = AggregateRequest(
      properties: ["category", AggregateRequest.column("count", "count:(SELF)")],
      groupBy: ["category"],
      sort: [order("category", ascending: false)]
    )
    let found = try stack.context.fetch(groups.request())
    #expect(found.map { $0["category"] as? NSManagedObjectID } == [second.objectID, first.objectID, nil])
  }

  @Test("Swift key paths to IDs sort by ID", arguments: givingRisingKeys)
  func keyPaths(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let descriptors = [
      NSSortDescriptor(keyPath: \Note.objectID, ascending: false),
      NSSortDescriptor(keyPath: \NSManagedObject.objectID, ascending: false),
    ]
    for descriptor in descriptors {
      #expect(descriptor.key == "objectID")
      #expect(try stack.fetch(Note.self, sort: [descriptor]).map(\.title) == ["b", "d", "a", "c"])
    }
    #expect(NSSortDescriptor(keyPath: \Note.category?.objectID, ascending: true).key == "category.objectID")
  }

  @Test("predicates cannot compare objects by order", arguments: StoreKind.allCases)
  func predicates(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let note = try #require(try stack.fetch(Note.self).first)
    #expect(throws: NSError.self) { try stack.fetch(Note.self, "SELF < %@", [note]) }
  }

  @Test(
    "fetched results follow a sort by ID, also when a save assigns keys in another order",
    arguments: StoreKind.storesAndChildren
  )
  func fetchedResults(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let request = NSFetchRequest<Person>(entityName: "Person")
    request.sortDescriptors = [order("objectID")]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let delegate = SilentDelegate()
    controller.delegate = delegate
    try controller.performFetch()
    for number in 0..<6 {
      let person =
        number.isMultiple(of: 2) ? Person(context: stack.context) : Employee(context: stack.context)
      person.name = "\(number)"
    }
    stack.context.processPendingChanges()
    #expect(controller.fetchedObjects?.compactMap(\.name) == (0..<6).map(String.init))
    try stack.save()
    for (index, person) in (controller.fetchedObjects ?? []).enumerated() {
      #expect(controller.indexPath(forObject: person) == IndexPath(item: index, section: 0))
    }
    // A child context learns the permanent IDs when it fetches.
    #expect(try stack.context.fetch(request).count == 6)
    Person(context: stack.context).name = "new"
    stack.context.processPendingChanges()
    #expect(try controller.fetchedObjects == stack.context.fetch(request))
    #expect(controller.fetchedObjects?.last?.name == "new")
  }

  private final class SilentDelegate: NSObject, NSFetchedResultsControllerDelegate {}
}
