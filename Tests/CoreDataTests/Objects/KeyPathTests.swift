import CoreData
import Foundation
import Testing

extension Note {
  /// Computed of two properties: no key of the model.
  var summary: String { "\(title ?? "") \(rating)" }
  /// A custom accessor, as Apple's documentation writes them.
  var shout: String? {
    willAccessValue(forKey: "title")
    defer { didAccessValue(forKey: "title") }
    return primitiveValue(forKey: "title") as? String
  }
}

@Suite("Names behind key paths")
struct KeyPathTests {
  @Test("are found for attributes, through relationships, and behind custom accessors")
  func names() throws {
    let stack = try Stack(.inMemory)
    #expect(NSSortDescriptor(keyPath: \Note.title, ascending: true).key == "title")
    #expect(NSSortDescriptor(keyPath: \Note.rating, ascending: true).key == "rating")
    #expect(NSSortDescriptor(keyPath: \Note.createdAt, ascending: true).key == "createdAt")
    #expect(NSSortDescriptor(keyPath: \Note.category?.name, ascending: true).key == "category.name")
    #expect(NSSortDescriptor(keyPath: \Note.shout, ascending: true).key == "title")
    withExtendedLifetime(stack) {}
  }

  @Test("are not made up for a property that is computed of others")
  func computed() throws {
    let stack = try Stack(.inMemory)
    #expect(NSSortDescriptor(keyPath: \Note.summary, ascending: true).key == nil)
    withExtendedLifetime(stack) {}
  }

  @Test("let a fetch sort by key path in every store", arguments: StoreKind.allCases)
  func sorting(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("b", stack.category("x"))
    stack.note("a", stack.category("y"))
    try stack.save()
    let titles = { (descriptor: NSSortDescriptor) in
      try stack.fetch(Note.self, sort: [descriptor], in: stack.newContext()).compactMap(\.title)
    }
    #expect(try titles(NSSortDescriptor(keyPath: \Note.title, ascending: true)) == ["a", "b"])
    #expect(try titles(NSSortDescriptor(keyPath: \Note.category?.name, ascending: true)) == ["b", "a"])
  }
}
