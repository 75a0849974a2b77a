import CoreData
import Foundation
import Observation
import Synchronization
import TestModels
import Testing

/// An object that Swift's Observation can track.
final class Reading: NSManagedObject, Observable {
  var place: String? {
    get { managedValue("place") }
    set { setManagedValue(newValue, "place") }
  }
  var value: Double {
    get { managedValue("value") }
    set { setManagedValue(newValue, "value") }
  }
  var next: Reading? {
    get { managedValue("next") }
    set { setManagedValue(newValue, "next") }
  }
  var parts: Set<Reading> {
    get { managedValue("parts") }
    set { setManagedValue(newValue, "parts") }
  }
  var label: String { "\(place ?? "") \(value)" }

  static let model: NSManagedObjectModel = {
    let entity = makeEntity("Reading", Reading.self)
    let (next, whole) = (makeRelationship("next", to: entity), makeRelationship("whole", to: entity))
    let previous = makeRelationship("previous", to: entity, toMany: true)
    let parts = makeRelationship("parts", to: entity, toMany: true)
    connect(next, previous)
    connect(whole, parts)
    let attributes = [makeAttribute("place"), makeAttribute("value", .doubleAttributeType)]
    entity.properties = attributes + [next, whole, previous, parts]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()
}

@Suite("Following objects by Observation")
struct ObservationTests {
  /// The number of notifications about a change of the values that were read, which is at most one.
  private func changes(reading read: () -> Void, while change: () throws -> Void) rethrows -> Int {
    let counter = Counter()
    withObservationTracking(read) { counter.count.add(1, ordering: .relaxed) }
    try change()
    return counter.count.load(ordering: .relaxed)
  }

  private final class Counter: Sendable {
    let count = Atomic<Int>(0)
  }

  private func stack(_ kind: StoreKind) throws -> (Stack, Reading) {
    let stack = try Stack(kind, model: Reading.model)
    let reading = Reading(context: stack.context)
    reading.place = "roof"
    reading.value = 1
    return (stack, reading)
  }

  @Test(
    "only changes of a property that was read are observed",
    arguments: StoreKind.allCases
  )
  func properties(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    #expect(changes(reading: { _ = reading.place }, while: { reading.value = 2 }) == 0)
    #expect(changes(reading: { _ = reading.place }, while: { reading.place = "cellar" }) == 1)
    #expect(changes(reading: { _ = reading.label }, while: { reading.value = 3 }) == 1)
    try stack.save()
    #expect(changes(reading: { _ = reading.place }, while: { reading.place = "roof" }) == 1)
    withExtendedLifetime(stack) {}
  }

  @Test("values that are read and set by key are followed too", arguments: StoreKind.allCases)
  func keys(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    #expect(
      changes(
        reading: { _ = reading.value(forKey: "place") },
        while: { reading.setValue("x", forKey: "place") }
      ) == 1
    )
    #expect(
      changes(reading: { _ = reading.place }, while: { reading.setPrimitiveValue("y", forKey: "place") }) == 1
    )
    withExtendedLifetime(stack) {}
  }

  @Test("relationships are followed on both sides", arguments: StoreKind.allCases)
  func relationships(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    let other = Reading(context: stack.context)
    #expect(changes(reading: { _ = reading.next }, while: { reading.next = other }) == 1)
    #expect(changes(reading: { _ = reading.parts }, while: { reading.parts = [other] }) == 1)
    #expect(
      changes(reading: { _ = reading.parts }, while: { other.setValue(nil, forKey: "whole") }) == 1
    )
    #expect(changes(reading: { _ = reading.next }, while: { delete(other, stack) }) == 1)
  }

  private func delete(_ object: Reading, _ stack: Stack) {
    stack.context.delete(object)
    stack.context.processPendingChanges()
  }

  @Test("an object that is fetched as a fault is followed", arguments: StoreKind.allCases)
  func faults(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    try stack.save()
    let context = stack.newContext()
    let fetched = try #require(try stack.fetch(Reading.self, in: context).first)
    #expect(changes(reading: { _ = fetched.place }, while: { fetched.place = "x" }) == 1)
    #expect(changes(reading: { _ = fetched.place }, while: { context.rollback() }) == 1)
    // The store contains the object's value.
    #expect(
      changes(reading: { _ = fetched.place }, while: { context.refresh(fetched, mergeChanges: false) }) == 0
    )
    fetched.place = "y"
    #expect(
      changes(reading: { _ = fetched.place }, while: { context.refresh(fetched, mergeChanges: false) }) == 1
    )
  }

  @Test("a merge notifies observers of saves", arguments: [StoreKind.inMemory, .sqlite, .xml, .binary])
  func merging(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    try stack.save()
    let context = stack.newContext()
    let copy = try #require(try stack.fetch(Reading.self, in: context).first)
    let posted = Posted(.NSManagedObjectContextDidSave, by: stack.context)
    reading.place = "there"
    try stack.save()
    let notification = try #require(posted.all.first)
    let told = changes(
      reading: { _ = copy.place },
      while: { context.mergeChanges(fromContextDidSave: notification) }
    )
    #expect(told == 1)
    #expect(copy.place == "there")
  }

  @Test(
    "a merge notifies observers of changed values, and of nothing else",
    arguments: [StoreKind.inMemory, .sqlite, .xml, .binary]
  )
  func precise(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    let part = Reading(context: stack.context)
    reading.parts = [part]
    try stack.save()
    let context = stack.newContext()
    let copy = try #require(context.object(with: reading.objectID) as? Reading)
    func told(_ read: () -> Void, _ change: () -> Void) throws -> Int {
      let posted = Posted(.NSManagedObjectContextDidSave, by: stack.context)
      // A value that was never read cannot be compared.
      _ = copy.place
      return try changes(reading: read) {
        change()
        try stack.save()
        context.mergeChanges(fromContextDidSave: try #require(posted.all.first))
      }
    }
    #expect(try told({ _ = copy.value }, { reading.place = "there" }) == 0)
    #expect(try told({ _ = copy.parts }, { reading.place = "here" }) == 0)
    #expect(try told({ _ = copy.place }, { reading.parts = [] }) == 0)
    #expect(try told({ _ = copy.parts }, { reading.parts = [part] }) == 1)
    #expect(try told({ _ = copy.next }, { reading.value = 7 }) == 0)
    #expect(try told({ _ = copy.next }, { reading.next = part }) == 1)
    #expect(try told({ _ = copy.value }, { reading.value = 8 }) == 1)
    #expect((copy.place, copy.value, copy.parts.count) == ("here", 8, 1))
  }

  @Test("undo and redo notify observers", arguments: StoreKind.allCases)
  func undo(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    try stack.save()
    stack.context.undoManager = UndoManager()
    reading.place = "x"
    stack.context.processPendingChanges()
    #expect(changes(reading: { _ = reading.place }, while: { stack.context.undo() }) == 1)
    #expect(reading.place == "roof")
    #expect(changes(reading: { _ = reading.place }, while: { stack.context.redo() }) == 1)
  }

  @Test("a deletion notifies observers", arguments: StoreKind.allCases)
  func deletion(_ kind: StoreKind) throws {
    let (stack, reading) = try stack(kind)
    try stack.save()
    #expect(changes(reading: { _ = reading.place }, while: { stack.context.delete(reading) }) == 1)
  }

  @Test("a class that does not conform is not followed")
  func plain() throws {
    let stack = try Stack(.inMemory)
    let note = stack.note("one")
    #expect(changes(reading: { _ = note.title }, while: { note.title = "two" }) == 0)
  }
}
