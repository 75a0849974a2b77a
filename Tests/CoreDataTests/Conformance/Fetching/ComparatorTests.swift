import CoreData
import Foundation
import Testing

/// An application's subclass, which compares objects in its own way.
private final class ByRatingOdd: NSSortDescriptor {
  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let ratings = [object1, object2].map { ($0 as? Note)?.rating ?? 0 }
    return ComparatorTests.order(ratings[0] % 2, ratings[1] % 2)
  }
}

@Suite("Comparators of sort descriptors")
struct ComparatorTests {
  static func order<Value: Comparable>(_ first: Value, _ second: Value) -> ComparisonResult {
    first < second ? .orderedAscending : second < first ? .orderedDescending : .orderedSame
  }

  /// Orders texts by length.
  private static let byLength: @Sendable (Any, Any) -> ComparisonResult = { first, second in
    order((first as? String ?? "").count, (second as? String ?? "").count)
  }

  /// Descriptors that order titles by length, the longest first. One is created with a key, one with the key path of a class,
  /// and one with a key path whose root type is generic.
  static let makers: [@Sendable () -> NSSortDescriptor] = [
    { NSSortDescriptor(key: "title", ascending: false, comparator: byLength) },
    { NSSortDescriptor(keyPath: \Note.title, ascending: false, comparator: byLength) },
    { generic(\Note.title) },
  ]

  private static func generic<Root: NSManagedObject>(_ keyPath: KeyPath<Root, String?>) -> NSSortDescriptor {
    NSSortDescriptor(keyPath: keyPath, ascending: false, comparator: byLength)
  }

  /// The stores without SQL, and their child contexts.
  static let withoutSQL = StoreKind.allCases.filter { !$0.isSQLite && !$0.isPostgreSQL }

  /// The stores that sort records. The tests' incremental store sorts objects.
  static let sortingRecords = StoreKind.allCases.filter { $0 != .incremental }

  private func library(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    for title in ["aaa", "b", "cccc", "dd"] { stack.note(title) }
    try stack.save()
    return stack
  }

  @Test(
    "comparators sort the objects of a store without SQL, including new and changed ones",
    arguments: withoutSQL,
    makers.indices
  )
  func applied(_ kind: StoreKind, maker: Int) throws {
    let descriptor = Self.makers[maker]()
    let stack = try library(kind)
    stack.context.reset()
    let titles = { try stack.fetch(Note.self, sort: [descriptor]).map(\.title) }
    #expect(try titles() == ["cccc", "aaa", "dd", "b"])
    stack.note("eeeee")
    try #require(stack.fetch(Note.self, "title == 'b'").first).title = "bbbbbb"
    #expect(try titles() == ["bbbbbb", "eeeee", "cccc", "aaa", "dd"])
    try stack.save()
    stack.context.reset()
    #expect(try titles() == ["bbbbbb", "eeeee", "cccc", "aaa", "dd"])
  }

  @Test("comparators work with fetch limits and offsets", arguments: withoutSQL, makers.indices)
  func limits(_ kind: StoreKind, maker: Int) throws {
    let stack = try library(kind)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [Self.makers[maker]()]
    request.fetchLimit = 2
    request.fetchOffset = 1
    #expect(try stack.context.fetch(request).map(\.title) == ["aaa", "dd"])
  }

  @Test(
    "a store in SQL refuses comparators with an error that names the key and the remedy",
    arguments: StoreKind.allCases.filter { $0.isSQLite || $0.isPostgreSQL },
    makers.indices
  )
  func refused(_ kind: StoreKind, maker: Int) throws {
    let stack = try library(kind)
    let error = #expect(throws: NSError.self) {
      try stack.fetch(Note.self, sort: [Self.makers[maker]()])
    }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    let words = error?.localizedDescription ?? ""
    #expect(
      words.contains("comparator") && words.contains("title") && words.contains("in memory"),
      "\(words)"
    )
    // The context is unchanged.
    #expect(try stack.fetch(Note.self, sort: [.byTitle]).count == 4)
  }

  @Test(
    "comparators sort fetched objects in memory, whatever the store",
    arguments: StoreKind.allCases,
    makers.indices
  )
  func fetched(_ kind: StoreKind, maker: Int) throws {
    let stack = try library(kind)
    stack.note("eeeee")
    let notes = NSArray(array: try stack.fetch(Note.self))
    let sorted = notes.sortedArray(using: [Self.makers[maker]()]) as? [Note]
    #expect(sorted?.map(\.title) == ["eeeee", "cccc", "aaa", "dd", "b"])
  }

  @Test("comparators get the value at the end of a key path, and NSNull for nil", arguments: withoutSQL)
  func chains(_ kind: StoreKind) throws {
    let stack = try library(kind)
    for (title, name) in [("aaa", "xx"), ("cccc", "x")] {
      try #require(stack.fetch(Note.self, "title == %@", [title]).first).category = stack.category(name)
    }
    try stack.save()
    stack.context.reset()
    let descriptor = NSSortDescriptor(keyPath: \Note.category?.name, ascending: true) { first, second in
      #expect([first, second].allSatisfy { $0 is String || $0 is NSNull })
      return Self.byLength(first, second)
    }
    #expect(descriptor.keyPath == \Note.category?.name)
    let found = try stack.fetch(Note.self, sort: [descriptor, .byTitle])
    #expect(found.map(\.title) == ["b", "dd", "cccc", "aaa"])
  }

  @Test("comparators of computed values sort objects, but fail in a fetch", arguments: sortingRecords)
  func computed(_ kind: StoreKind) throws {
    let stack = try library(kind)
    // The value is computed from two attributes, so no store has it.
    let descriptor = NSSortDescriptor(keyPath: \Note.summary, ascending: false) { first, second in
      Self.order(first as? String ?? "", second as? String ?? "")
    }
    let notes = NSArray(array: try stack.fetch(Note.self))
    #expect(
      (notes.sortedArray(using: [descriptor]) as? [Note])?.map(\.title) == ["dd", "cccc", "b", "aaa"]
    )
    let error = #expect(throws: (any Error).self) { try stack.fetch(Note.self, sort: [descriptor]) }
    let remedies = ["sort by the key of an attribute", "make it of the key of a property"]
    #expect(
      remedies.contains { error?.localizedDescription.contains($0) == true },
      "\(error as Any)"
    )
  }

  @Test(
    "comparators of an application's own class sort objects, and are an error of a fetch",
    arguments: sortingRecords
  )
  func subclass(_ kind: StoreKind) throws {
    let stack = try library(kind)
    try #require(stack.fetch(Note.self, "title == 'dd'").first).rating = 2
    try stack.save()
    let descriptor = ByRatingOdd(keyPath: \Note.rating, ascending: true)
    #expect(descriptor.selector == nil)
    // An initialiser that creates another class for `NSSortDescriptor` itself leaves subclasses unchanged.
    let made: NSSortDescriptor = ByRatingOdd(keyPath: \Note.title, ascending: true) { _, _ in .orderedSame }
    #expect(made is ByRatingOdd)
    let notes = NSArray(array: try stack.fetch(Note.self))
    #expect((notes.sortedArray(using: [descriptor]) as? [Note])?.first?.title == "dd")
    #expect(throws: (any Error).self) { try stack.fetch(Note.self, sort: [descriptor]) }
  }
}
