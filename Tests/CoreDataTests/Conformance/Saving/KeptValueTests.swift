import CoreData
import Foundation
import PropertyLists
import Testing

@testable import CoreData

/// A value that `setValue(_:forKey:)` and `setMetadata(_:for:)` accept is read again when the store is reopened, or the save
/// refuses it. No value produces a store that cannot be opened.
@Suite("Values at the ends of their types")
struct KeptValueTests {
  private static let texts = [
    "", " ", "\n", "a\n\n  b\n", "\r", "a\r\nb", "a\u{0}b", "\u{1}\u{1f}\u{7f}\u{85}\u{2028}", "\\",
    "\\\\u0041",
    "\\\u{301}", "\u{1}\u{301}", "\u{1}1", "e\u{301}", "\u{fffe}\u{ffff}\u{10ffff}", "]]>", "<a>&amp;</a>",
    "&#13;",
    "\u{feff}a", "👨‍👩‍👧‍👦", String(repeating: "x", count: 100_000),
  ]
  private static let numbers: [Double] = [
    0, -0.0, 0.1, 1e15, -1e10, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]
  private static let decimals = [
    "0", "0.1", "-0.1", "1e100", "1e-100", "123456789012345678901234567890.12345678",
    "340282366920938463463374607431768211455",
  ]
  private static let links = [
    "http://example.com", "mailto:a@example.com", "file:///a%20b", "x:y#z", "a/b",
    "http://example.com/%C3%A4?a=b&c",
  ]

  private static var dates: [Date] { numbers.map { Date(timeIntervalSinceReferenceDate: $0) } }

  /// The values for each attribute of a note.
  private static var values: [(key: String, value: Any)] {
    var all: [(key: String, value: Any)] = []
    func add(_ key: String, _ values: [Any]) { for value in values { all.append((key, value)) } }
    add("rating", ([.min, -1, 0, 1 << 53 + 1, .max] as [Int64]).map { NSNumber(value: $0) })
    add("small", [NSNumber(value: Int16.min), NSNumber(value: Int16.max)])
    add("medium", [NSNumber(value: Int32.min), NSNumber(value: Int32.max)])
    add("isPinned", [NSNumber(value: true)])
    add("ratio", numbers.map { NSNumber(value: $0) })
    add("share", numbers.map { NSNumber(value: Float($0)) })
    add("createdAt", dates + [Date.distantPast, Date.distantFuture])
    add("price", [NSDecimalNumber.notANumber, NSDecimalNumber.maximum, NSDecimalNumber.minimum])
    add("price", decimals.map { NSDecimalNumber(string: $0) })
    add("identifier", [UUID()])
    add("link", links.compactMap { URL(string: $0) } + [URL(fileURLWithPath: "/a b/ä")])
    // The large values are the last ones, because each save of a store in one file writes all objects again.
    add("title", texts)
    add("body", [Data(), Data([0]), Data(0...255), Data(repeating: 7, count: 1 << 20)])
    return all
  }

  /// A context that reads the stored values. A store in a file or on a server is reopened.
  private func reading(_ stack: Stack) throws -> NSManagedObjectContext {
    let isKept = [.sqlite, .childOfSQLite, .xml, .binary, .postgreSQL, .childOfPostgreSQL].contains(
      stack.kind
    )
    guard isKept, let store = stack.coordinator.persistentStores.first else { return stack.newContext() }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(ofType: store.type, configurationName: nil, at: store.url)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func isNaN(_ value: Any) -> Bool {
    if let date = value as? Date { return date.timeIntervalSinceReferenceDate.isNaN }
    return (value as? NSNumber)?.doubleValue.isNaN ?? false
  }

  private static func isSame(_ given: Any, _ read: Any?, in kind: StoreKind) -> Bool {
    // Database columns cannot contain NaN.
    if isNaN(given) { return read.map(isNaN) ?? (kind.isSQLite || kind.isPostgreSQL) }
    guard let read else { return false }
    switch (given, read) {
    case (let given as String, let read as String): return given.utf8.elementsEqual(read.utf8)
    case (let given as URL, let read as URL): return given.absoluteString == read.absoluteString
    case (let given as Date, let read as Date): return given == read
    case (let given as Data, let read as Data): return given == read
    case (let given as UUID, let read as UUID): return given == read
    case (let given as NSDecimalNumber, let read as NSNumber) where kind.isSQLite:
      // Columns of Apple's stores have the precision of a binary floating-point number.
      return abs(given.doubleValue - read.doubleValue) <= abs(given.doubleValue) * 1e-14
    default: return (given as? NSObject)?.isEqual(read) ?? false
    }
  }

  @Test(
    "extreme attribute values are read back as they were set, or the save refuses them",
    arguments: StoreKind.allCases
  )
  func attributes(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note("kept")
    try stack.save()
    for (number, (key, value)) in Self.values.enumerated() {
      let note = stack.note("note", rating: 5)
      note.setValue(value, forKey: key)
      note.setValue(Int32(number), forKey: key == "medium" ? "small" : "medium")
      let outcome = Result { try stack.save() }
      let context = try reading(stack)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: key == "medium" ? "small == %d" : "medium == %d", number)
      let found = try context.fetch(request)
      switch outcome {
      case .success:
        let read = found.first?.value(forKey: key)
        let isSame = Self.isSame(value, read, in: kind)
        #expect(found.count == 1 && isSame, "\(key) was set to \(value), and is \(read ?? "nil")")
      case .failure(let error):
        #expect(found.isEmpty && (error as NSError).domain == NSCocoaErrorDomain)
        stack.context.rollback()
        stack.context.parent?.rollback()
      }
    }
  }

  private static var metadata: [(name: String, value: Any)] {
    var all: [(name: String, value: Any)] = [
      ("unsigned", NSNumber(value: UInt64.max)), ("decimal", NSDecimalNumber(string: "1e100")),
      ("not a number", NSDecimalNumber.notANumber), ("true", NSNumber(value: true)),
      ("integer", NSNumber(value: Int64.min)), ("data", Data(0...255)), ("set", NSSet(array: [1])),
      ("null", NSNull()), ("UUID", UUID()),
    ]
    let list: [Any] = [NSNumber(value: 1), "a", ["b": [Data()]]]
    let deep = (0..<400).reduce([] as [Any]) { inner, _ in [inner] }
    all += [("list", list), ("names", ["": ["\u{1}": Data([0, 1])]]), ("deep", deep)]
    for text in texts { all.append(("text", text)) }
    for number in numbers { all.append(("number", NSNumber(value: number))) }
    for date in dates { all.append(("date", date)) }
    return all
  }

  private static func isSameInList(_ given: Any, _ read: Any?, _ kind: StoreKind) -> Bool {
    if isNaN(given) { return read.map(isNaN) ?? false }
    switch (given, read) {
    case (let given as NSDecimalNumber, let read as NSNumber): return given.doubleValue == read.doubleValue
    case (let given as Date, let read as Date) where kind == .xml:
      // Property lists in XML have whole seconds.
      return abs(given.timeIntervalSince(read)) < 1
    default: return PropertyListEquality.areEqual(given, other: read)
    }
  }

  @Test(
    "extreme metadata values are read back as they were set, or the save refuses them with their key",
    arguments: [StoreKind.sqlite, .xml, .binary] + StoreKind.allCases.filter { $0 == .postgreSQL }
  )
  func metadata(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let store = try #require(stack.coordinator.persistentStores.first)
    var count = 0
    for (name, value) in Self.metadata {
      var metadata = stack.coordinator.metadata(for: store)
      let former = metadata
      metadata["odd"] = value
      stack.coordinator.setMetadata(metadata, for: store)
      stack.note("note")
      let outcome = Result { try stack.save() }
      let context = try reading(stack)
      let opened = try #require(context.persistentStoreCoordinator?.persistentStores.first)
      switch outcome {
      case .success:
        count += 1
        let isSame = Self.isSameInList(value, opened.metadata["odd"], kind)
        #expect(isSame, "\(name) \(value) is \(opened.metadata["odd"] ?? "nil")")
      case .failure(let error):
        #expect(error.localizedDescription.contains("odd"), "\(name): \(error.localizedDescription)")
        stack.context.rollback()
        stack.coordinator.setMetadata(former, for: store)
      }
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == count)
    }
    // At least the plain values are kept.
    #expect(count >= 20)
  }
}
