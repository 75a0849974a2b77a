import CoreData
import Foundation
import Testing

@Suite("SQL in texts and names of a fetch")
struct InjectionTests {
  static let attempts = [
    "'; DROP TABLE ZNOTE; --", "\"; DELETE FROM ZNOTE; --", "' OR '1'='1", "x') OR 1=1 --", "a\"b",
    "%' OR '%'='",
    "]; DROP TABLE ZNOTE", "\\'; DROP TABLE ZNOTE;--", "'; DROP TABLE note; --", "$1::text", "z_pk",
    "title) FROM ZNOTE; DROP TABLE ZNOTE; --",
    "\u{0}'; DROP TABLE ZNOTE",
    "?1", ":title", "@title", "$title", "Z_PK", "rowid", "title COLLATE NOCASE", "/* */", "`title`",
  ]

  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    stack.note("one", tags: [stack.tag("t")])
    stack.note("two")
    try stack.save()
    return stack
  }

  /// Checks the rows of the tables that the attempts target.
  private func requireUntouched(_ stack: Stack, _ attempt: String) throws {
    let context = stack.newContext()
    #expect(
      try stack.fetch(Note.self, in: context).compactMap(\.title).sorted() == ["one", "two"],
      "\(attempt)"
    )
    #expect(try stack.fetch(Tag.self, in: context).map(\.name) == ["t"], "\(attempt)")
  }

  @Test("SQL in any string argument is treated as text", arguments: StoreKind.inSQL, attempts)
  func arguments(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    for format in [
      "title == %@", "title != %@", "title ==[cd] %@", "title BEGINSWITH %@", "title ENDSWITH[c] %@",
      "title CONTAINS %@",
      "title LIKE %@", "title IN %@", "%@ IN title", "title IN {%@, 'x'}", "title < %@",
      "title BETWEEN {%@, %@}",
      "ANY tags.name == %@", "lowercase:(title) == %@", "SUBQUERY(tags, $t, $t.name == %@).@count > 0",
      "TERNARY(title == %@, 1, 2) == 1",
    ] {
      let predicate = try NSPredicate(parsing: format, arguments: [attempt, attempt])
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = predicate
      _ = try stack.newContext().fetch(request)
      _ = try stack.newContext().count(for: request)
      #expect(predicate.printedFormat.isEmpty == false)
    }
    try requireUntouched(stack, attempt)
  }

  @Test("SQL in any key is an unknown name", arguments: StoreKind.inSQL, attempts)
  func keys(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    for path in [attempt, "category.\(attempt)", "tags.\(attempt)", "tags.@sum.\(attempt)"] {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: path),
        rightExpression: NSExpression(forConstantValue: "x"),
        modifier: .direct,
        type: .equalTo
      )
      #expect(throws: (any Error).self) { try stack.newContext().fetch(request) }
      request.predicate = nil
      request.sortDescriptors = [NSSortDescriptor(key: path, ascending: true)]
      #expect(throws: (any Error).self) { try stack.newContext().fetch(request) }
    }
    try requireUntouched(stack, attempt)
  }

  @Test("SQL in a stored text is found again as text", arguments: StoreKind.inSQL, attempts)
  func values(_ kind: StoreKind, _ attempt: String) throws {
    let stack = try stack(kind)
    // A text in PostgreSQL cannot contain that character: see `InsertingTests`.
    if kind.isPostgreSQL, attempt.utf8.contains(0) { return }
    stack.note(attempt)
    try stack.save()
    #expect(
      try stack.fetch(Note.self, "title == %@", [attempt], in: stack.newContext()).map(\.title) == [attempt]
    )
    let big = (0..<1_000).map { "\($0)" } + [attempt]
    #expect(
      try stack.fetch(Note.self, "title IN %@", [big], in: stack.newContext()).map(\.title) == [attempt]
    )
  }
}
