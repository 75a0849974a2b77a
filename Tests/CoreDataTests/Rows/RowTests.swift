import Foundation
import Testing

@testable import CoreData

@Suite("Rows")
struct RowTests {
  private var layout: EntityLayout {
    TestModel.shared.freeze()
    return TestModel.shared.entitiesByName["Note"]?.layout ?? TestModel.shared.entities[0].layout
  }

  private func slot(_ name: String) throws -> Int {
    guard case .slot(let slot)? = layout.places[name] else { throw CocoaError(.coderValueNotFound) }
    return slot
  }

  @Test("a slot is null until it is set, and null again after")
  func null() throws {
    let row = Row(layout: layout)
    for slot in layout.slots.indices { #expect(!row.hasValue(slot)) }
    row.set(.text("a text that is too long to be kept in place"), slot: try slot("title"))
    #expect(row.hasValue(try slot("title")))
    row.set(.null, slot: try slot("title"))
    #expect(!row.hasValue(try slot("title")))
  }

  @Test("a copy has the values, and changing it leaves the original")
  func copy() throws {
    let row = Row(layout: layout)
    row.version = 7
    row.set(.text("a text that is too long to be kept in place"), slot: try slot("title"))
    row.set(.data(Data(repeating: 1, count: 100)), slot: try slot("body"))
    row.set(.object(URL(fileURLWithPath: "/a")), slot: try slot("link"))
    let copy = row.copy()
    for slot in layout.slots.indices { #expect(copy.hasEqualValue(row, slot: slot)) }
    #expect(copy.version == 7)
    copy.set(.text("other"), slot: try slot("title"))
    #expect(!copy.hasEqualValue(row, slot: try slot("title")))
  }

  @Test("rows of one slab are independent, and release their values with it")
  func slabs() throws {
    final class Witness: NSObject {}
    weak var witness: Witness?
    do {
      let slab = RowSlab.make(layout: layout, capacity: 3)
      let rows = (0..<3).map { _ in Row(slab: slab, base: slab.appendRow()) }
      #expect(slab.isFull)
      let held = Witness()
      witness = held
      rows[1].set(.object(held), slot: try slot("link"))
      rows[0].set(.integer(.max), slot: try slot("rating"))
      rows[2].set(.integer(.min), slot: try slot("rating"))
      #expect(!rows[1].hasValue(try slot("rating")))
      #expect(!rows[0].hasValue(try slot("link")))
      guard case .integer(.min) = rows[2].value(try slot("rating")) else {
        Issue.record("the third row has another rating")
        return
      }
    }
    #expect(witness == nil)
  }

  @Test("a property is found by its name, and nothing else is")
  func names() {
    for (index, slot) in layout.slots.enumerated() { #expect(layout.names.index(of: slot.name) == index) }
    for (index, relationship) in layout.toMany.enumerated() {
      #expect(layout.names.index(of: relationship.name) == -1 - index)
    }
    for name in ["", "titl", "titlex", "Title", "tågs"] { #expect(layout.names.index(of: name) == nil) }
    #expect(layout.names.index(of: "title" as StaticString) == layout.names.index(of: String("title")))
  }

  @Test("a row may outlive its model: what destroys its values lives as long as it does")
  func outlivingModel() throws {
    weak var model: NSManagedObjectModel?
    weak var layout: EntityLayout?
    var row: Row?
    do {
      let made = TestModel.make()
      made.freeze()
      let note = try TestRows.entity("Note", in: made)
      row = Row(layout: note.layout)
      row?.set(
        .text("a text that is too long for a small string"),
        slot: try TestRows.slot("title", note.layout)
      )
      row = row?.copy()
      (model, layout) = (made, note.layout)
    }
    #expect(model == nil)
    #expect(layout != nil)
    let slot = try #require(layout?.names.index(of: "title"))
    #expect("\(try #require(row).value(slot))" == "text(\"a text that is too long for a small string\")")
    row = nil
    #expect(layout == nil)
  }

  @Test("a conflict's error may outlive its store")
  func outlivingStore() throws {
    var error: NSError?
    weak var model: NSManagedObjectModel?
    do {
      let made = TestModel.make()
      model = made
      let stack = try Stack(.sqlite, model: made)
      let note = stack.note("one, with a text that is too long for a small string")
      try stack.save()
      try stack.changeElsewhere(note) { $0.title = "theirs, with a text that is too long for a small string" }
      note.title = "ours"
      error = #expect(throws: NSError.self) { try stack.context.save() }
    }
    var conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    error = nil
    #expect((conflicts?.first?.persistedSnapshot?["title"] as? String)?.hasPrefix("theirs") == true)
    #expect(conflicts?.first?.persisted != nil)
    conflicts = nil
    #expect(model == nil)
  }
}
