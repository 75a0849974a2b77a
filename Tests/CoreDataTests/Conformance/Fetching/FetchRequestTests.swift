import CoreData
import Foundation
import Testing

@Suite("The settings of a fetch request")
struct FetchRequestTests {
  /// Six saved notes, rated 0 to 5.
  private func stack(_ kind: StoreKind) throws -> (Stack, NSFetchRequest<Note>) {
    let stack = try Stack(kind)
    for number in 0..<6 { stack.note("\(number)", rating: Int64(number)) }
    try stack.save()
    stack.context.reset()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle]
    return (stack, request)
  }

  @Test("a limit of 0 means no limit", arguments: StoreKind.allCases)
  func noLimit(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    #expect(request.fetchLimit == 0)
    #expect(try stack.context.fetch(request).count == 6)
  }

  @Test("an offset past the end finds nothing", arguments: StoreKind.allCases)
  func offsetPastEnd(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    request.fetchOffset = 6
    #expect(try stack.context.fetch(request).isEmpty)
    request.fetchOffset = 5
    #expect(try stack.context.fetch(request).map(\.title) == ["5"])
  }

  @Test("a request can be changed and used again", arguments: StoreKind.allCases)
  func usedAgain(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    request.predicate = NSPredicate(format: "rating < 2")
    #expect(try stack.context.fetch(request).map(\.rating) == [0, 1])
    request.predicate = NSPredicate(format: "rating > 3")
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
    #expect(try stack.context.fetch(request).map(\.rating) == [5, 4])
  }

  @Test("Swift key paths sort saved and new objects", arguments: StoreKind.allCases)
  func keyPaths(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    // Foundation itself creates descriptors for key paths to comparable values.
    request.sortDescriptors = [
      NSSortDescriptor(keyPath: \Note.rating, ascending: false),
      NSSortDescriptor(keyPath: \Note.title, ascending: true),
    ]
    #expect(try stack.context.fetch(request).map(\.rating) == [5, 4, 3, 2, 1, 0])
    stack.note("6", rating: 4)
    #expect(try stack.context.fetch(request).map(\.title) == ["5", "4", "6", "3", "2", "1", "0"])
  }

  @Test("a copy of a request finds the same, and is changed alone", arguments: StoreKind.allCases)
  func copy(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    request.predicate = NSPredicate(format: "rating >= 4")
    let copy = try #require(request.copy() as? NSFetchRequest<Note>)
    #expect(try stack.context.fetch(copy).map(\.rating) == [4, 5])
    copy.fetchLimit = 1
    #expect(try stack.context.fetch(copy).map(\.rating) == [4])
    #expect(try stack.context.fetch(request).count == 2)
  }

  @Test("a request without a predicate finds all objects of its entity", arguments: StoreKind.allCases)
  func noPredicate(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    _ = stack.tag("no note")
    #expect(request.predicate == nil)
    #expect(try stack.context.fetch(request).count == 6)
  }

  @Test("a set entity finds the same as its name", arguments: StoreKind.allCases)
  func byEntity(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    let request = NSFetchRequest<Note>()
    request.entity = NSEntityDescription.entity(forEntityName: "Note", in: stack.context)
    #expect(try stack.context.count(for: request) == 6)
  }

  @Test(
    "objects that are fetched without property values are faults that fetch them",
    arguments: StoreKind.allCases
  )
  func withoutValues(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    request.includesPropertyValues = false
    let notes = try stack.context.fetch(request)
    #expect(notes.allSatisfy { $0.isFault })
    #expect(notes.map(\.rating) == [0, 1, 2, 3, 4, 5])
  }

  @Test("a count counts matching objects, whatever the order", arguments: StoreKind.allCases)
  func count(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    request.predicate = NSPredicate(format: "rating BETWEEN {1, 3}")
    #expect(try stack.context.count(for: request) == 3)
    request.sortDescriptors = nil
    #expect(try stack.context.count(for: request) == 3)
    request.predicate = NSPredicate(format: "rating > 100")
    #expect(try stack.context.count(for: request) == 0)
  }

  @Test("a count registers no objects", arguments: StoreKind.allCases)
  func countRegistersNothing(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    #expect(try stack.context.count(for: request) == 6)
    #expect(stack.context.registeredObjects.isEmpty)
  }

  @Test("IDs come in the order that is asked for", arguments: StoreKind.allCases)
  func objectIDs(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
    let objectIDs = try stack.context.fetch(request)
    let ratings = objectIDs.compactMap { (stack.context.object(with: $0) as? Note)?.rating }
    #expect(ratings == [5, 4, 3, 2, 1, 0])
  }

  @Test("fetched IDs include those of unsaved objects", arguments: StoreKind.allCases)
  func unsavedIDs(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    let note = stack.note("new")
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    request.resultType = .managedObjectIDResultType
    request.predicate = NSPredicate(format: "title == 'new'")
    #expect(try stack.context.fetch(request) == [note.objectID])
  }

  @Test(
    "dictionaries have the attributes that were asked for, and no object is registered for the caller to keep",
    arguments: StoreKind.allCases
  )
  func dictionaries(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["rating"]
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    #expect(try stack.context.fetch(request) == (0..<6).map { ["rating": $0] })
    #expect(stack.context.registeredObjects.isEmpty)
  }

  @Test("objects that compare equal are sorted by the next descriptor", arguments: StoreKind.allCases)
  func severalDescriptors(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for (title, rating) in [("b", 1), ("a", 2), ("a", 1), ("b", 2)] {
      stack.note(title, rating: Int64(rating))
    }
    try stack.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [.byTitle, NSSortDescriptor(key: "rating", ascending: false)]
    let found = try stack.context.fetch(request)
    #expect(found.map { "\($0.title ?? "")\($0.rating)" } == ["a2", "a1", "b2", "b1"])
  }

  @Test("objects without a value come first in a rising order", arguments: StoreKind.allCases)
  func missingValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("dated").createdAt = Date(timeIntervalSinceReferenceDate: 0)
    stack.note("undated")
    try stack.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    #expect(try stack.context.fetch(request).map(\.title) == ["undated", "dated"])
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: false)]
    #expect(try stack.context.fetch(request).map(\.title) == ["dated", "undated"])
  }

  @Test(
    "a fetch of an abstract parent's kind finds objects of each subentity as their own class",
    arguments: StoreKind.allCases
  )
  func subclasses(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    Person(context: stack.context).name = "p"
    Employee(context: stack.context).name = "e"
    try stack.save()
    stack.context.reset()
    let found = try stack.fetch(Person.self, sort: [.byName])
    #expect(found.map { $0 is Employee } == [true, false])
    #expect(found.map(\.entity.name) == ["Employee", "Person"])
  }

  @Test("a predicate with variables is one after they are given", arguments: StoreKind.allCases)
  func variables(_ kind: StoreKind) throws {
    let (stack, request) = try stack(kind)
    let template = NSPredicate(format: "rating >= $least")
    request.predicate = template.withSubstitutionVariables(["least": 4])
    #expect(try stack.context.fetch(request).map(\.rating) == [4, 5])
    request.predicate = template.withSubstitutionVariables(["least": 5])
    #expect(try stack.context.fetch(request).map(\.rating) == [5])
  }

  @Test("a predicate compares the entity of an object", arguments: StoreKind.allCases)
  func entity(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (person, employee) = (Person(context: stack.context), Employee(context: stack.context))
    (person.name, employee.name) = ("p", "e")
    employee.manager = person
    try stack.save()
    let model = stack.coordinator.managedObjectModel
    let entities = try ["Person", "Employee"].map { try #require(model.entitiesByName[$0]) }
    for (entity, name) in zip(entities, ["p", "e"]) {
      let request = NSFetchRequest<Person>(entityName: "Person")
      request.predicate = NSPredicate(format: "entity == %@", entity)
      #expect(try stack.context.fetch(request).map(\.name) == [name])
      request.predicate = NSPredicate(format: "entity != %@", entity)
      #expect(try stack.context.fetch(request).map(\.name) == [name == "p" ? "e" : "p"])
      request.predicate = NSPredicate(format: "entity IN %@", [entity])
      #expect(try stack.context.fetch(request).map(\.name) == [name])
    }
    let request = NSFetchRequest<Employee>(entityName: "Employee")
    request.predicate = NSPredicate(format: "manager.entity == %@", entities[0])
    #expect(try stack.context.fetch(request).map(\.name) == ["e"])
  }
}
