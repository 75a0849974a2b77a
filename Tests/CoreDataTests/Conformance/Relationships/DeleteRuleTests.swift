import CoreData
import Foundation
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
  @Test("nullify takes the object out of the other side", arguments: StoreKind.allCases)
  func nullify(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (tag, category) = (stack.tag("t"), stack.category("c"))
    let note = stack.note("n", category, tags: [tag])
    try stack.save()
    stack.context.delete(note)
    try stack.save()
    #expect(tag.notes.isEmpty)
    #expect(category.notes.isEmpty)
    #expect(try stack.fetch(Tag.self, in: stack.newContext()).first?.notes.isEmpty == true)
    #expect(try stack.fetch(Category.self, in: stack.newContext()).count == 1)
  }

  @Test("cascade deletes the destinations, through several relationships", arguments: StoreKind.allCases)
  func cascade(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    category.badge = Badge(context: stack.context)
    stack.note("a", category)
    stack.note("b", category)
    stack.note("other")
    try stack.save()
    stack.context.delete(category)
    try stack.save()
    let context = stack.newContext()
    #expect(try stack.fetch(Note.self, in: context).map(\.title) == ["other"])
    #expect(try stack.fetch(Badge.self, in: context).isEmpty)
  }

  @Test("cascade deletes a chain of objects, however long it is", arguments: [true, false])
  func cascadeOfChain(_ waitsForEvent: Bool) throws {
    let stack = try Stack.relations(.inMemory)
    var last = stack.make("Node", "first")
    let first = last
    for number in 1..<20_000 {
      let node = stack.make("Node", "\(number)")
      node.setValue(last, forKey: "parent")
      last = node
    }
    try stack.save()
    stack.context.propagatesDeletesAtEndOfEvent = waitsForEvent
    stack.context.delete(first)
    try stack.save()
    #expect(try stack.savedCount("Node") == 0)
  }

  @Test("cascade reaches destinations that were never fetched", arguments: StoreKind.allCases)
  func cascadeUnfetched(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    stack.note("a", category)
    try stack.save()
    let context = stack.newContext()
    context.delete(try #require(try stack.fetch(Category.self, in: context).first))
    try context.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }

  @Test("deny refuses the save and keeps everything", arguments: StoreKind.allCases)
  func deny(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("n")
    let page = Page(context: stack.context)
    page.note = note
    try stack.save()
    stack.context.delete(note)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "pages")
    #expect(try stack.fetch(Note.self, in: stack.newContext()).count == 1)
    stack.context.delete(page)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
  }
}
