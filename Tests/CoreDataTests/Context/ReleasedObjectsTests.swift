import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite("The remains of very many released objects")
struct ReleasedObjectsTests {
  private static let count = Soak.rounds(25_000)

  private static let kinds = [StoreKind.sqlite, .childOfSQLite]

  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    var number = 0
    let request = NSBatchInsertRequest(entityName: "Note") { (dictionary: NSMutableDictionary) in
      if number == Self.count { return true }
      dictionary["title"] = "the title of the note \(number)"
      number += 1
      return false
    }
    try stack.context.execute(request)
    return stack
  }

  /// Weak references to the objects of a fetch and to their storage.
  private struct Parts {
    private var objects: [Weak] = []
    private var slabs: [Weak] = []
    private var extras: [Weak] = []

    private struct Weak {
      weak var object: AnyObject?
    }

    init(_ notes: [Note]) {
      for note in notes {
        objects.append(Weak(object: note))
        if let slab = note.slab, slabs.last?.object !== slab { slabs.append(Weak(object: slab)) }
        if let made = note.extras { extras.append(Weak(object: made)) }
      }
    }

    /// The numbers of objects, of row slabs, and of additional storage of objects that still exist.
    var left: [Int] { [objects, slabs, extras].map { $0.count { $0.object != nil } } }
    var hasExtras: Bool { extras.count == objects.count }
  }

  private func fetchAll(_ context: NSManagedObjectContext) throws -> [Note] {
    let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    #expect(notes.count == Self.count && notes.allSatisfy { $0.title != nil })
    return notes
  }

  /// Whether the identity maps of a context and its parents are empty and small again.
  private func isEmpty(_ context: NSManagedObjectContext) -> Bool {
    context.registeredObjects.isEmpty && context.registry.capacity < 1000
      && context.parent.map(isEmpty) ?? true
  }

  @Test("fetched objects leave no rows and no places in the identity map", arguments: kinds)
  func fetched(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let parts = try {
      let notes = try fetchAll(stack.context)
      #expect(stack.context.registry.capacity > Self.count)
      return Parts(notes)
    }()
    #expect(parts.left == [0, 0, 0])
    #expect(isEmpty(stack.context))
  }

  @Test("objects that were changed and saved leave no snapshots", arguments: kinds)
  func saved(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let parts = try {
      let notes = try fetchAll(stack.context)
      for note in notes { note.rating = 8 }
      #expect(stack.context.updatedObjects.count == Self.count)
      let parts = Parts(notes)
      #expect(parts.hasExtras)
      try stack.save()
      return parts
    }()
    #expect(parts.left == [0, 0, 0])
    #expect(isEmpty(stack.context))
  }

  @Test("a context that is reset releases the objects that it retained", arguments: kinds)
  func reset(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    stack.context.retainsRegisteredObjects = true
    let parts = try Parts(fetchAll(stack.context))
    #expect(parts.left[0] == Self.count)
    stack.context.reset()
    #expect(parts.left == [0, 0, 0])
    #expect(isEmpty(stack.context))
  }

  @Test("a context that is deallocated releases objects with changes", arguments: kinds)
  func deallocated(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    weak var context: NSManagedObjectContext?
    let parts = try {
      let own = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      own.parent = stack.context
      context = own
      let notes = try fetchAll(own)
      for note in notes { note.rating = 8 }
      return Parts(notes)
    }()
    #expect(context == nil)
    #expect(parts.left == [0, 0, 0])
    #expect(isEmpty(stack.context))
  }

  @Test("objects that refer to each other are released when they are refreshed", arguments: kinds)
  func walked(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let category = stack.category("all")
    for note in try fetchAll(stack.context) { note.category = category }
    try stack.save()
    stack.context.parent?.reset()
    stack.context.reset()
    let parts = try {
      let notes = try fetchAll(stack.context)
      let all = try #require(notes.first?.category)
      #expect(all.notes.count == Self.count && notes.allSatisfy { $0.category === all })
      let parts = Parts(notes)
      #expect(parts.hasExtras)
      stack.context.refreshAllObjects()
      stack.context.processPendingChanges()
      return parts
    }()
    #expect(parts.left == [0, 0, 0])
    stack.context.parent?.refreshAllObjects()
    stack.context.parent?.processPendingChanges()
    #expect(isEmpty(stack.context))
  }

  @Test(
    "a chain of objects that hold each other is released, however long it is",
    arguments: kinds,
    ["parent", "children"]
  )
  func chain(_ kind: StoreKind, _ relationship: String) throws {
    let stack = try Stack.relations(kind)
    let build = {
      var last: NSManagedObject?
      for number in 0..<20_000 {
        let node = stack.make("Node", String(format: "%06d", number))
        node.setValue(last, forKey: "parent")
        last = node
      }
    }
    build()
    try stack.save()
    stack.context.parent?.reset()
    stack.context.reset()
    weak var farthest: NSManagedObject?
    var nearest: NSManagedObject? = try {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: relationship == "parent")]
      let nodes = try stack.context.fetch(request)
      for node in nodes { #expect(node.namesIn(relationship).count == (node === nodes.first ? 0 : 1)) }
      farthest = nodes.first
      return nodes.last
    }()
    #expect(nearest != nil && farthest != nil)
    nearest = nil
    #expect(farthest == nil)
    #expect(stack.context.registeredObjects.isEmpty)
  }

  /// A context and its objects, which two threads release.
  private final class Held: Sendable {
    let context = Mutex<UncheckedSendable<NSManagedObjectContext>?>(nil)
    let nodes = Mutex<UncheckedSendable<[NSManagedObject]>?>(nil)
  }

  @Test(
    "objects with links are released by one thread while another one releases their context",
    arguments: kinds
  )
  func race(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let root = stack.make("Node", "root")
    for number in 0..<200 { stack.make("Node", "\(number)").setValue(root, forKey: "parent") }
    try stack.save()
    let held = Held()
    for _ in 0..<Soak.rounds(200) {
      weak var context: NSManagedObjectContext?
      weak var last: NSManagedObject?
      try {
        let own = NSManagedObjectContext(.privateQueue)
        own.persistentStoreCoordinator = stack.coordinator
        let nodes = try own.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node"))
        for node in nodes { _ = node.value(forKey: "parent") }
        (context, last) = (own, nodes.last)
        let boxes = (UncheckedSendable(own), UncheckedSendable(nodes))
        held.context.withLock { $0 = boxes.0 }
        held.nodes.withLock { $0 = boxes.1 }
      }()
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 { held.context.withLock { $0 = nil } } else { held.nodes.withLock { $0 = nil } }
      }
      #expect(context == nil && last == nil)
    }
  }

  @Test("dictionaries leave no objects", arguments: kinds)
  func dictionaries(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    #expect(try stack.context.fetch(request).count == Self.count)
    #expect(isEmpty(stack.context))
  }
}
