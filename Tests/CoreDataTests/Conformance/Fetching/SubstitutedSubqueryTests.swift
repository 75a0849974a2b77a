import CoreData
import Foundation
import Predicates
import Testing

@testable import CoreData

private typealias NSExpression = Predicates.NSExpression

@Suite("Subqueries of a variable's objects")
struct SubstitutedSubqueryTests {
  /// Notes with ratings from 1 to 5. The first three are in the category.
  private func stack(_ kind: StoreKind, isSaved: Bool = true) throws -> (Stack, Category) {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let tags = ["t", "u"].map(stack.tag)
    for rating in 1...5 {
      stack.note("\(rating)", rating: Int64(rating), rating < 4 ? category : nil, tags: [tags[rating % 2]])
    }
    if isSaved { try stack.save() }
    return (stack, category)
  }

  private func ratings(_ predicate: NSPredicate, _ stack: Stack) throws -> [Int64] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    return try stack.context.fetch(request).map(\.rating)
  }

  static let predicates: [(String, [Int64])] = [
    ("SUBQUERY($object.notes, $n, $n.rating > 2).@count > 0", [1, 2, 3, 4, 5]),
    ("SUBQUERY($object.notes, $n, $n.rating > 3).@count > 0", []),
    ("SUBQUERY($object.notes, $n, $n.rating > 1).@count == rating", [2]),
    ("SELF IN SUBQUERY($object.notes, $n, $n.rating > 1)", [2, 3]),
    ("NOT SELF IN SUBQUERY($object.notes, $n, $n.rating > 1)", [1, 4, 5]),
    ("SUBQUERY($object.notes, $n, $n.rating < rating).@count == 2", [3]),
    ("SUBQUERY($object.notes, $n, $n.rating < rating AND $n.category == category).@count > 0", [2, 3]),
    ("SUBQUERY($object.notes, $n, $n == SELF).@count == 1", [1, 2, 3]),
    (
      "SUBQUERY($object.notes, $n, $n != SELF AND SUBQUERY($n.tags, $t, $t IN tags).@count > 0).@count == 1",
      [1, 3, 4]
    ),
    (
      "SUBQUERY($object.notes, $n, SUBQUERY($n.tags, $t, $t.name == 't').@count > 0).@count == 1",
      [1, 2, 3, 4, 5]
    ),
    ("SUBQUERY($object.notes, $n, TRUEPREDICATE).@count == 3", [1, 2, 3, 4, 5]),
    ("SUBQUERY($object.badge.category.notes, $n, $n.rating < rating).@count == 0", [1, 2, 3, 4, 5]),
    ("SUBQUERY(category.notes, $n, $n.rating > $object.notes.@min.rating).@count == 2", [1, 2, 3]),
  ]

  @Test(
    "a subquery of a variable finds the same in every store, also with conditions on the object",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func substituted(_ kind: StoreKind, _ isSaved: Bool) throws {
    let (stack, category) = try stack(kind, isSaved: isSaved)
    for (format, expected) in Self.predicates {
      let predicate = NSPredicate(format: format).withSubstitutionVariables(["object": category])
      #expect(try ratings(predicate, stack) == expected, "\(format)")
    }
  }

  @Test("a subquery of an empty variable finds nothing", arguments: StoreKind.allCases)
  func nothing(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    let empty = stack.category("empty")
    let predicate = NSPredicate(format: "SUBQUERY($object.notes, $n, $n.rating < rating).@count == 0")
    #expect(try ratings(predicate.withSubstitutionVariables(["object": empty]), stack) == [1, 2, 3, 4, 5])
  }

  @Test("a subquery's collection can be a key path of a variable", arguments: StoreKind.allCases)
  func keyPaths(_ kind: StoreKind) throws {
    let (stack, category) = try stack(kind)
    let subquery = NSExpression(
      forSubquery: NSExpression(forKeyPath: "$object.notes"),
      usingIteratorVariable: "n",
      predicate: NSPredicate(format: "%K < rating", "$n.rating")
    )
    let count = NSExpression(
      forFunction: subquery,
      selectorName: "valueForKeyPath:",
      arguments: [NSExpression(forKeyPath: "@count")]
    )
    let template = NSComparisonPredicate(
      leftExpression: count,
      rightExpression: NSExpression(forConstantValue: 1),
      modifier: .direct,
      type: .equalTo
    )
    let predicate = template.withSubstitutionVariables(["object": category])
    #expect(try ratings(predicate, stack) == [2])
  }

  @Test("a subquery's collection can be an expression for the variable", arguments: StoreKind.allCases)
  func expressions(_ kind: StoreKind) throws {
    let (stack, _) = try stack(kind)
    let template = NSPredicate(format: "SUBQUERY($object.notes, $n, $n.rating > 1).@count == 2")
    let ofCategory = template.withSubstitutionVariables(["object": NSExpression(forKeyPath: "category")])
    #expect(ofCategory.printedFormat == "SUBQUERY(category.notes, $n, $n.rating > 1).@count == 2")
    #expect(try ratings(ofCategory, stack) == [1, 2, 3])
  }

  @Test("a subquery is a condition per object in SQL, and a constant if it does not depend on the row")
  func statements() throws {
    let stack = try Stack(.sqlite, recording: [.bindings])
    let category = stack.category("c")
    for rating in 1...2 { stack.note("n", rating: Int64(rating), category) }
    try stack.save()
    let about = NSPredicate(format: "SUBQUERY($object.notes, $n, $n.rating < rating).@count == 2")
    let sql = try stack.executed {
      _ = try ratings(about.withSubstitutionVariables(["object": category]), stack)
    }
    let counted = "CASE WHEN t0.ZRATING > ? THEN 1 ELSE 0 END"
    #expect(sql.last?.sql.contains(" WHERE (\(counted) + \(counted)) = ? ORDER BY") == true)
    #expect(sql.last.map { Set($0.bindings.prefix(2).map(\.literal)) } == ["1", "2"])
    let constant = NSPredicate(format: "SUBQUERY($object.notes, $n, $n.rating > 2).@count == 1")
    let other = try stack.executed {
      _ = try ratings(constant.withSubstitutionVariables(["object": category]), stack)
    }
    #expect(other.last?.sql.contains(" WHERE 0 ORDER BY") == true)
  }
}
