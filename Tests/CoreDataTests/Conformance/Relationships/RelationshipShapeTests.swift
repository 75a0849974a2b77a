import CoreData
import Foundation
import Testing

@Suite("Relationships of every shape")
struct RelationshipShapeTests {
  private func nodes(_ stack: Stack, _ names: String...) -> [NSManagedObject] {
    names.map { stack.make("Node", $0) }
  }

  @Test("a relationship of an entity to itself has both sides", arguments: StoreKind.allCases)
  func reflexive(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b", "c")
    nodes[1].setValue(nodes[0], forKey: "parent")
    nodes[0].mutableSetValue(forKey: "children").add(nodes[2])
    #expect(nodes[0].namesIn("children") == ["b", "c"] && nodes[2].namesIn("parent") == ["a"])
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("children") == ["b", "c"])
    #expect(try stack.saved("Node", "c")?.namesIn("parent") == ["a"])
  }

  @Test("a relationship that is its own inverse is mutual", arguments: StoreKind.allCases)
  func ownInverse(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b")
    nodes[0].setValue(NSSet(object: nodes[1]), forKey: "friends")
    #expect(nodes[1].namesIn("friends") == ["a"])
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("friends") == ["b"])
    #expect(try stack.saved("Node", "b")?.namesIn("friends") == ["a"])
    nodes[1].setValue(NSSet(), forKey: "friends")
    #expect(nodes[0].namesIn("friends").isEmpty)
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("friends") == [])
  }

  @Test("an object can be its own friend", arguments: StoreKind.allCases)
  func itself(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let node = stack.make("Node", "a")
    node.mutableSetValue(forKey: "friends").add(node)
    node.setValue(node, forKey: "favourite")
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("friends") == ["a"])
    #expect(try stack.saved("Node", "a")?.namesIn("favourite") == ["a"])
  }

  @Test("many-to-many among objects of one entity keeps its two sides apart", arguments: StoreKind.allCases)
  func manyToMany(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b", "c")
    nodes[0].setValue(NSSet(array: [nodes[1], nodes[2]]), forKey: "fans")
    nodes[1].mutableSetValue(forKey: "fans").add(nodes[0])
    try stack.save()
    let (a, b) = (try #require(try stack.saved("Node", "a")), try #require(try stack.saved("Node", "b")))
    #expect(a.namesIn("fans") == ["b", "c"] && a.namesIn("idols") == ["b"])
    #expect(b.namesIn("fans") == ["a"] && b.namesIn("idols") == ["a"])
  }

  @Test("one-to-one takes the object from its former partner, on all sides", arguments: StoreKind.allCases)
  func oneToOne(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b", "c", "d")
    nodes[0].setValue(nodes[1], forKey: "next")
    nodes[2].setValue(nodes[3], forKey: "next")
    try stack.save()
    nodes[0].setValue(nodes[3], forKey: "next")
    #expect(nodes[1].value(forKey: "previous") == nil && nodes[2].value(forKey: "next") == nil)
    #expect(nodes[3].namesIn("previous") == ["a"])
    try stack.save()
    #expect(try stack.saved("Node", "c")?.namesIn("next") == [])
    #expect(try stack.saved("Node", "d")?.namesIn("previous") == ["a"])
  }

  @Test("a to-one relationship without an inverse changes one side alone", arguments: StoreKind.allCases)
  func withoutInverse(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b")
    try stack.save()
    nodes[0].setValue(nodes[1], forKey: "favourite")
    #expect(nodes[0].isUpdated && !nodes[1].isUpdated)
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("favourite") == ["b"])
  }

  @Test("a to-many relationship without an inverse is saved", arguments: StoreKind.allCases)
  func toManyWithoutInverse(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b", "c")
    nodes[0].setValue(NSSet(array: [nodes[1], nodes[2]]), forKey: "bookmarks")
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("bookmarks") == ["b", "c"])
    nodes[0].mutableSetValue(forKey: "bookmarks").remove(nodes[1])
    try stack.save()
    #expect(try stack.saved("Node", "a")?.namesIn("bookmarks") == ["c"])
  }

  @Test("an object moves from one owner to the other when it is put there", arguments: StoreKind.allCases)
  func moving(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let (one, other, item) = (stack.make("Box", "1"), stack.make("Box", "2"), stack.make("Item", "i"))
    one.mutableSetValue(forKey: "items").add(item)
    try stack.save()
    other.mutableSetValue(forKey: "items").add(item)
    #expect(one.namesIn("items").isEmpty && item.namesIn("box") == ["2"])
    try stack.save()
    #expect(try stack.saved("Box", "1")?.namesIn("items") == [])
    #expect(try stack.saved("Box", "2")?.namesIn("items") == ["i"])
  }

  @Test("an ordered relationship keeps the order in which objects are put in", arguments: StoreKind.allCases)
  func ordered(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let box = stack.make("Box", "1")
    for name in ["c", "a", "b"] {
      box.mutableOrderedSetValue(forKey: "sequence").add(stack.make("Item", name))
    }
    try stack.save()
    #expect(try stack.saved("Box", "1")?.namesIn("sequence") == ["c", "a", "b"])
  }

  @Test("both sides of an ordered many-to-many relationship have an order", arguments: StoreKind.allCases)
  func orderedBothSides(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let boxes = ["1", "2", "3"].map { stack.make("Box", $0) }
    let item = stack.make("Item", "i")
    item.setValue(NSOrderedSet(array: [boxes[2], boxes[0], boxes[1]]), forKey: "sequences")
    try stack.save()
    #expect(try stack.saved("Item", "i")?.namesIn("sequences") == ["3", "1", "2"])
    #expect(try stack.saved("Box", "2")?.namesIn("sequence") == ["i"])
  }

  @Test("a new order alone is a change, and is saved", arguments: StoreKind.allCases)
  func reordered(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let box = stack.make("Box", "1")
    let items = ["a", "b", "c"].map { stack.make("Item", $0) }
    box.setValue(NSOrderedSet(array: items), forKey: "sequence")
    try stack.save()
    box.mutableOrderedSetValue(forKey: "sequence").exchangeObject(at: 0, withObjectAt: 2)
    #expect(box.isUpdated && box.changedValues().keys.sorted() == ["sequence"])
    try stack.save()
    #expect(try stack.saved("Box", "1")?.namesIn("sequence") == ["c", "b", "a"])
  }

  @Test("setting a relationship to its value is not a change", arguments: StoreKind.allCases)
  func same(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b")
    nodes[1].setValue(nodes[0], forKey: "parent")
    try stack.save()
    nodes[1].setValue(nodes[0], forKey: "parent")
    nodes[0].setValue(NSSet(object: nodes[1]), forKey: "children")
    #expect(!stack.context.hasChanges)
  }

  @Test("too few objects in a relationship are refused, with the code for it", arguments: StoreKind.allCases)
  func minimum(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let box = stack.make("Box", "1")
    box.setValue(NSSet(object: stack.make("Item", "a")), forKey: "pair")
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.code == NSValidationRelationshipLacksMinimumCountError)
    box.mutableSetValue(forKey: "pair").add(stack.make("Item", "b"))
    try stack.save()
    box.mutableSetValue(forKey: "pair").add(stack.make("Item", "c"))
    let second = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(second?.code == NSValidationRelationshipExceedsMaximumCountError)
  }

  @Test("cascade goes down a tree", arguments: StoreKind.allCases)
  func tree(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "root", "child", "grandchild", "other")
    nodes[1].setValue(nodes[0], forKey: "parent")
    nodes[2].setValue(nodes[1], forKey: "parent")
    try stack.save()
    stack.context.delete(nodes[0])
    try stack.save()
    #expect(try stack.savedCount("Node") == 1)
    #expect(nodes[2].managedObjectContext == nil)
  }

  @Test("cascade goes round a cycle once", arguments: StoreKind.allCases)
  func cycle(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let rings = ["a", "b", "c"].map { stack.make("Ring", $0) }
    for index in 0..<3 { rings[index].setValue(rings[(index + 1) % 3], forKey: "owner") }
    try stack.save()
    stack.context.delete(rings[0])
    stack.context.processPendingChanges()
    #expect(rings.map(\.isDeleted) == [true, true, true])
    try stack.save()
    #expect(try stack.savedCount("Ring") == 0)
  }

  @Test("a deleted child leaves its parent, which stays", arguments: StoreKind.allCases)
  func child(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b")
    nodes[1].setValue(nodes[0], forKey: "parent")
    try stack.save()
    stack.context.delete(nodes[1])
    try stack.save()
    #expect(nodes[0].namesIn("children").isEmpty)
    #expect(try stack.saved("Node", "a")?.namesIn("children") == [])
  }

  @Test("no action leaves the other side as it is", arguments: StoreKind.allCases)
  func noAction(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let (box, node) = (stack.make("Box", "1"), stack.make("Node", "a"))
    node.setValue(box, forKey: "host")
    try stack.save()
    stack.context.delete(node)
    stack.context.processPendingChanges()
    #expect(!box.isUpdated)
    #expect(box.namesIn("guests") == ["a"])
  }

  @Test(
    "deny lets the deletion pass when the destinations are deleted with it",
    arguments: StoreKind.allCases
  )
  func denied(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let (box, node) = (stack.make("Box", "1"), stack.make("Node", "a"))
    node.setValue(box, forKey: "host")
    try stack.save()
    stack.context.delete(box)
    #expect(throws: NSError.self) { try stack.context.save() }
    stack.context.delete(node)
    try stack.save()
    #expect(try stack.savedCount("Box") == 0)
  }

  @Test(
    "a destination that is deleted leaves relationships without inverse",
    arguments: StoreKind.storesAndChildren
  )
  func danglingReference(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b")
    nodes[0].setValue(nodes[1], forKey: "favourite")
    try stack.save()
    stack.context.delete(nodes[1])
    nodes[0].setValue(nil, forKey: "favourite")
    try stack.save()
    #expect(try stack.saved("Node", "a")?.value(forKey: "favourite") == nil)
  }

  @Test("deleting objects of both sides of a relationship deletes both", arguments: StoreKind.allCases)
  func bothSides(_ kind: StoreKind) throws {
    let stack = try Stack.relations(kind)
    let nodes = nodes(stack, "a", "b", "c")
    nodes[0].setValue(NSSet(array: [nodes[1], nodes[2]]), forKey: "fans")
    try stack.save()
    stack.context.delete(nodes[0])
    stack.context.delete(nodes[1])
    try stack.save()
    #expect(try stack.savedCount("Node") == 1)
    #expect(try stack.saved("Node", "c")?.namesIn("idols") == [])
  }

  @Test("an object of the wrong entity stops the program")
  func wrongEntity() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.relations(.inMemory)
      stack.make("Node", "a").setValue(stack.make("Box", "1"), forKey: "parent")
    }
  }

  @Test("an object of another context stops the program")
  func otherContext() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.relations(.inMemory)
      let other = NSEntityDescription.insertNewObject(forEntityName: "Node", into: stack.newContext())
      stack.make("Node", "a").setValue(other, forKey: "parent")
    }
  }
}
