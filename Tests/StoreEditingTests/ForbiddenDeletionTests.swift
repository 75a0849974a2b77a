import CoreData
import Foundation
import StoreExploration
import TestModels
import Testing

@testable import StoreEditing

@Suite("Deletions that the model forbids")
struct ForbiddenDeletionTests {
  /// Shelves that cascade to boxes, boxes that may not be deleted while they contain things, and owners that
  /// each thing requires.
  private static var model: NSManagedObjectModel {
    let shelf = makeEntity("Shelf", makeAttribute("name"))
    let box = makeEntity("Box", makeAttribute("name"))
    let thing = makeEntity("Thing", makeAttribute("name"))
    let owner = makeEntity("Owner", makeAttribute("name"))
    relate(shelf, "boxes", isToMany: true, box, "shelf", isToMany: false)
    relate(box, "things", isToMany: true, thing, "box", isToMany: false)
    relate(owner, "things", isToMany: true, thing, "owner", isToMany: false)
    return makeModel([shelf, box, thing, owner]) { entities in
      entities["Shelf"]?.relationshipsByName["boxes"]?.deleteRule = .cascadeDeleteRule
      entities["Box"]?.relationshipsByName["things"]?.deleteRule = .denyDeleteRule
    }
  }

  private static func store(_ kind: EditedKind = .sqlite, requiresOwner: Bool = false) throws -> EditedStore {
    let model = model
    if requiresOwner { model.entitiesByName["Thing"]?.relationshipsByName["owner"]?.isOptional = false }
    return try EditedStore(kind, model: model)
  }

  private static func expectRefusal(of object: EditedObject, in store: EditedStore) async throws {
    let before = store.session.summary
    let failure = await #expect(throws: EditingFailure.self) { try await store.session.delete(object) }
    #expect(failure?.code == .forbiddenDeletion)
    #expect(store.session.summary == before)
    #expect(try await !store.session.refusals(ofDeleting: object).isEmpty)
  }

  @Test("A deletion that a Deny rule forbids is refused with its reason", arguments: EditedKind.allCases)
  func deny(kind: EditedKind) async throws {
    let store = try Self.store(kind)
    let box = try store.insert("Box", ["name": "Tools"])
    let thing = try store.insert("Thing", ["name": "Saw"])
    try await store.session.edit("things", of: box, edit: .add(thing))
    #expect(try await store.session.save().isSaved)
    try await Self.expectRefusal(of: box, in: store)
    let refusals = try await store.session.refusals(ofDeleting: box)
    #expect(refusals.map(\.words) == ["Tools cannot be deleted while Box.things leads to 1 object."])
    #expect(try await store.session.delete(thing) == 1)
  }

  @Test("A deletion is refused for an object that it takes along", arguments: EditedKind.allCases)
  func cascade(kind: EditedKind) async throws {
    let store = try Self.store(kind)
    let shelf = try store.insert("Shelf", ["name": "Left"])
    let box = try store.insert("Box", ["name": "Tools"])
    let thing = try store.insert("Thing", ["name": "Saw"])
    try await store.session.edit("boxes", of: shelf, edit: .add(box))
    try await store.session.edit("things", of: box, edit: .add(thing))
    #expect(try await store.session.save().isSaved)
    try await Self.expectRefusal(of: shelf, in: store)
    #expect(try await store.session.refusals(ofDeleting: shelf).map(\.object.object) == [box])
  }

  @Test("A deletion that a staged removal has made possible is allowed and saved")
  func madePossible() async throws {
    let store = try Self.store()
    let box = try store.insert("Box", ["name": "Tools"])
    let thing = try store.insert("Thing", ["name": "Saw"])
    try await store.session.edit("things", of: box, edit: .add(thing))
    #expect(try await store.session.save().isSaved)
    try await store.session.edit("things", of: box, edit: .remove(thing))
    #expect(try await store.session.refusals(ofDeleting: box).isEmpty)
    #expect(try await store.session.delete(box) == 1)
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Box") == 0 && store.count("Thing") == 1)
  }

  @Test("A deletion that a staged deletion has made possible is allowed and saved")
  func destinationsDeleted() async throws {
    let store = try Self.store()
    let box = try store.insert("Box", ["name": "Tools"])
    let thing = try store.insert("Thing", ["name": "Saw"])
    try await store.session.edit("things", of: box, edit: .add(thing))
    #expect(try await store.session.save().isSaved)
    try await store.session.delete(thing)
    #expect(try await store.session.delete(box) == 1)
    #expect(try await store.session.save().isSaved)
    #expect(try store.count("Box") == 0 && store.count("Thing") == 0)
  }

  @Test("A deletion that a staged addition has made impossible is refused, and undoing allows it")
  func madeImpossible() async throws {
    let store = try Self.store()
    let box = try store.insert("Box", ["name": "Tools"])
    let thing = try store.insert("Thing", ["name": "Saw"])
    try await store.session.edit("box", of: thing, edit: .set(box))
    try await Self.expectRefusal(of: box, in: store)
    try await store.session.undo()
    #expect(try await store.session.delete(box) == 1)
  }

  @Test("A new object is not deleted while a Deny rule keeps its objects")
  func newObject() async throws {
    let store = try Self.store()
    let thing = try store.insert("Thing", ["name": "Saw"])
    let box = try await store.session.create("Box", inputs: ["name": FieldInput("Tools")])
    try await store.session.edit("things", of: box, edit: .add(thing))
    try await Self.expectRefusal(of: box, in: store)
    try await store.session.edit("things", of: box, edit: .remove(thing))
    // The box was never saved, so no deletion is staged.
    #expect(try await store.session.delete(box) == 0)
  }

  @Test("A deletion that would leave a required relationship without a value is refused")
  func requiredInverse() async throws {
    let store = try Self.store(requiresOwner: true)
    let (owner, thing) = try store.write { context in
      let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      owner.setValue("Ada", forKey: "name")
      thing.setValue(owner, forKey: "owner")
      try context.save()
      return (
        EditedObject(entity: "Owner", key: owner.objectID.key),
        EditedObject(entity: "Thing", key: thing.objectID.key)
      )
    }
    try await Self.expectRefusal(of: owner, in: store)
    let refusals = try await store.session.refusals(ofDeleting: owner)
    #expect(refusals.map(\.rule) == [.requiredInverse("Thing.owner")])
    try await store.session.delete(thing)
    #expect(try await store.session.delete(owner) == 1)
    #expect(try await store.session.save().isSaved)
  }
}
