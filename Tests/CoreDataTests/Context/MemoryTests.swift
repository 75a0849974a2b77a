import Foundation
import Testing

@testable import CoreData

@Suite("Objects that contexts retain and release")
struct MemoryTests {
  @Test("a fetched object is released with its last reference", arguments: StoreKind.allCases)
  func released(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let context = stack.newContext()
    weak var note: Note?
    try {
      let found = try #require(stack.fetch(Note.self, in: context).first)
      note = found
      #expect(context.registeredObjects.count == 1)
    }()
    #expect(note == nil)
    #expect(context.registeredObjects.isEmpty)
  }

  @Test("an object with changes is held until it is saved", arguments: StoreKind.allCases)
  func held(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    weak var note: Note?
    try {
      note = stack.note("one")
      try #require(note != nil)
    }()
    #expect(note != nil)
    stack.context.processPendingChanges()
    #expect(note != nil)
    try stack.save()
    #expect(note == nil)
  }

  @Test("a context releases objects that refer to each other with it", arguments: StoreKind.storesAndChildren)
  func cycles(_ kind: StoreKind) throws {
    weak var note: Note?
    try {
      let stack = try Stack(kind)
      let made = stack.note("one", stack.category("c"), tags: [stack.tag("t")])
      try stack.save()
      #expect(made.category?.notes.first === made)
      note = made
    }()
    #expect(note == nil)
  }

  @Test(
    "objects deleted together are released after the save, even if they referred to each other",
    arguments: StoreKind.allCases
  )
  func deleted(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    weak var note: Note?
    weak var category: Category?
    try {
      let (made, parent) = (stack.note("one"), stack.category("c"))
      made.category = parent
      try stack.save()
      #expect(parent.notes == [made] && made.category === parent)
      stack.context.delete(parent)
      let names = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave,
        object: stack.context,
        queue: nil
      ) { notification in
        let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>
        #expect(deleted?.count == 2)
      }
      try stack.save()
      NotificationCenter.default.removeObserver(names)
      #expect(made.managedObjectContext == nil && parent.managedObjectContext == nil)
      #expect(made.title == "one")
      #expect(parent.notes.isEmpty && made.category == nil)
      (note, category) = (made, parent)
    }()
    #expect(note == nil && category == nil)
  }

  @Test("undoing a saved deletion restores the object's references")
  func undone() throws {
    let stack = try Stack(.sqlite)
    let (note, category) = (stack.note("one"), stack.category("c"))
    note.category = category
    try stack.save()
    let undoManager = UndoManager()
    undoManager.groupsByEvent = false
    stack.context.undoManager = undoManager
    undoManager.beginUndoGrouping()
    stack.context.delete(category)
    stack.context.processPendingChanges()
    undoManager.endUndoGrouping()
    try stack.save()
    undoManager.undo()
    try stack.save()
    let found = try #require(try stack.fetch(Category.self, in: stack.newContext()).first)
    #expect(found.notes.map(\.title) == ["one"])
  }

  @Test("a context retains registered objects if so set", arguments: StoreKind.allCases)
  func retains(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    let context = stack.newContext()
    context.retainsRegisteredObjects = true
    _ = try stack.fetch(Note.self, in: context)
    #expect(context.registeredObjects.count == 1)
    context.reset()
    #expect(context.registeredObjects.isEmpty)
  }

  @Test(
    "objects may be released on any thread while their context fetches them",
    arguments: StoreKind.storesAndChildren
  )
  func threads(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    for index in 0..<200 { stack.note("\(index)") }
    try stack.save()
    let context = stack.newContext()
    for _ in 0..<50 {
      let objects = UncheckedSendable(try stack.fetch(Note.self, in: context))
      let release = Task.detached { _ = objects }
      _ = try stack.fetch(Note.self, in: context).map(\.title)
      await release.value
    }
    #expect(try stack.fetch(Note.self, in: context).count == 200)
  }
}
