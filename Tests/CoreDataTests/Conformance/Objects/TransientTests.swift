import CoreData
import Foundation
import Testing

@Suite("Transient attributes")
struct TransientTests {
  private func saved(_ kind: StoreKind) throws -> (Stack, Note) {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    return (stack, note)
  }

  @Test("a transient value marks its object as changed", arguments: StoreKind.allCases)
  func change(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    #expect(note.hasChanges && note.isUpdated)
    #expect(stack.context.hasChanges)
  }

  @Test("a save without other changes leaves the record's version alone", arguments: StoreKind.allCases)
  func version(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let other = stack.newContext()
    let same = try #require(try stack.fetch(Note.self, in: other).first)
    _ = same.title
    note.setValue("d", forKey: "draft")
    try stack.save()
    same.rating = 8
    try other.save()
    #expect(!note.hasChanges)
  }

  @Test("a transient value stays in its object after a save", arguments: StoreKind.allCases)
  func afterSave(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    try stack.save()
    #expect(note.value(forKey: "draft") as? String == "d")
  }

  @Test(
    "a fetched object has the default of the attribute, until another value is set",
    arguments: StoreKind.allCases
  )
  func defaults(_ kind: StoreKind) throws {
    let (title, summary) = (NSAttributeDescription(), NSAttributeDescription())
    (title.name, title.attributeType) = ("title", .stringAttributeType)
    (summary.name, summary.attributeType, summary.isTransient) = ("summary", .stringAttributeType, true)
    summary.defaultValue = "none"
    let entity = NSEntityDescription()
    entity.name = "Draft"
    entity.properties = [title, summary]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try Stack(kind, model: model)
    let draft = NSManagedObject(entity: entity, insertInto: stack.context)
    draft.setValue("one", forKey: "title")
    draft.setValue("text", forKey: "summary")
    try stack.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Draft")
    let other = try #require(try stack.newContext().fetch(request).first)
    #expect(other.value(forKey: "title") as? String == "one")
    #expect(other.value(forKey: "summary") as? String == "none")
    #expect(!other.hasChanges)
    other.setValue(nil, forKey: "summary")
    #expect(other.value(forKey: "summary") == nil)
  }

  @Test("no other context sees it", arguments: StoreKind.allCases)
  func elsewhere(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).first?.value(forKey: "draft") == nil)
  }

  @Test("a refresh that keeps changes keeps it while there are changes", arguments: StoreKind.allCases)
  func refreshKeeping(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    stack.context.refresh(note, mergeChanges: true)
    #expect(note.value(forKey: "draft") as? String == "d")
    stack.context.refreshAllObjects()
    #expect(!note.isFault)
    #expect(note.value(forKey: "draft") as? String == "d")
  }

  @Test(
    "a refresh turns an object without changes into a fault, which has lost it",
    arguments: StoreKind.allCases
  )
  func refreshUnchanged(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    try stack.save()
    stack.context.refreshAllObjects()
    #expect(note.isFault)
    #expect(note.value(forKey: "draft") == nil)
  }

  @Test(
    "a child's save gives it to the parent, and the parent gives it to no child",
    arguments: StoreKind.allCases
  )
  func parent(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = stack.context
    let copy = try #require(try child.existingObject(with: note.objectID) as? Note)
    copy.setValue("d", forKey: "draft")
    try child.save()
    #expect(note.value(forKey: "draft") as? String == "d")
    #expect(stack.context.hasChanges && note.changedValues().isEmpty)
    let sibling = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    sibling.parent = stack.context
    #expect(try stack.fetch(Note.self, in: sibling).first?.value(forKey: "draft") == nil)
    #expect(note.value(forKey: "draft") as? String == "d")
  }

  @Test("a refresh that drops changes drops it", arguments: StoreKind.allCases)
  func refreshDropping(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.value(forKey: "draft") == nil)
  }

  @Test("rollback drops it", arguments: StoreKind.allCases)
  func rollback(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    note.setValue("d", forKey: "draft")
    stack.context.rollback()
    #expect(note.value(forKey: "draft") == nil)
  }

  @Test("undo restores a transient value", arguments: StoreKind.allCases)
  func undo(_ kind: StoreKind) throws {
    let (stack, note) = try saved(kind)
    stack.context.undoManager = UndoManager()
    note.setValue("d", forKey: "draft")
    stack.context.undo()
    #expect(note.value(forKey: "draft") == nil)
    stack.context.redo()
    #expect(note.value(forKey: "draft") as? String == "d")
  }
}
