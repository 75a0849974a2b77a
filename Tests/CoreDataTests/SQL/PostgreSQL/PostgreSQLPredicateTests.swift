#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// The translations of predicates in PostgreSQL's dialect, without a store.
  @Suite("Predicates in the SQL of PostgreSQL")
  struct PostgreSQLPredicateTests {
    typealias Case = PredicateTranslationTests.Case

    static var comparisons: [Case] {
      [
        Case("rating == 3", "t0.rating = $1::bigint", .integer(3)),
        Case("rating != 3", "t0.rating <> $1::bigint", .integer(3)),
        Case("NOT rating < 3", "NOT (t0.rating < $1::bigint)", .integer(3)),
        Case("rating == nil", "t0.rating IS NULL"),
        Case("rating < nil", "FALSE"),
        Case("NOT rating < nil", "FALSE"),
        Case("rating != 'x'", "t0.rating IS NOT NULL"),
        Case("rating == 2.5", "t0.rating = $1::double precision::text::numeric", .real(2.5)),
        Case("rating == 2.0", "t0.rating = $1::bigint", .integer(2)),
        Case(
          "rating BETWEEN {1, 5}",
          "t0.rating >= $1::bigint AND t0.rating <= $2::bigint",
          .integer(1),
          .integer(5)
        ),
        Case("rating == small", "t0.rating IS NOT DISTINCT FROM t0.small"),
        Case("rating != small", "t0.rating <> t0.small"),
        Case(
          "rating > ratio",
          "t0.rating > CASE WHEN ABS(t0.ratio) >= 9007199254740992 AND t0.ratio BETWEEN -9223372036854775808 AND "
            + "9223372036854774784 THEN t0.ratio::bigint::numeric ELSE t0.ratio::text::numeric END"
        ),
        Case("small > ratio", "t0.small > t0.ratio"),
        Case("price == ratio", "t0.price IS NOT DISTINCT FROM t0.ratio::text::numeric"),
        Case("price == 0.3", "t0.price = $1::numeric", .text("0.3")),
        Case("rating == title", "t0.rating IS NULL AND t0.title IS NULL"),
        Case("isPinned == YES", "t0.is_pinned::integer = $1::bigint", .integer(1)),
        Case("isPinned != nil", "t0.is_pinned::integer IS NOT NULL"),
        Case("price > %@", [Decimal(string: "10.5")], "t0.price > $1::numeric", .text("10.5")),
        Case("price == 7", "t0.price = $1::bigint", .integer(7)),
        Case(
          "rating < %@",
          [Decimal(string: "10.5")],
          "t0.rating < $1::double precision::text::numeric",
          .real(10.5)
        ),
        Case(
          "createdAt > %@",
          [Date(timeIntervalSinceReferenceDate: 9)],
          "t0.created_at > $1::double precision",
          .real(9.0)
        ),
        Case(
          "identifier == %@",
          [PredicateTranslationTests.identifier],
          "t0.identifier = $1::uuid",
          .text("01020304-0506-0708-090a-0b0c0d0e0f10")
        ),
        Case(
          "identifier > %@",
          [PredicateTranslationTests.identifier],
          "t0.identifier > $1::uuid",
          .text("01020304-0506-0708-090a-0b0c0d0e0f10")
        ),
        Case("link == %@", [URL(string: "https://a.b/c")], "t0.link = $1::text", .text("https://a.b/c")),
        Case("body == %@", [Data([1, 2])], "t0.body = $1::bytea", .blob(Data([1, 2]))),
        Case("entity == %@", [TestModel.shared.entitiesByName["Note"]], "t0.z_ent = $1::bigint", .integer(3)),
      ]
    }

    static var numbers: [Case] {
      [
        Case("medium + small > 5", "(t0.medium::numeric + t0.small::numeric) > $1::bigint", .integer(5)),
        Case(
          "medium - 1 == 2",
          "(t0.medium::numeric - $1::bigint::numeric) = $2::bigint",
          .integer(1),
          .integer(2)
        ),
        Case(
          "(medium - small) * 2 == 2",
          "((t0.medium::numeric - t0.small::numeric)::numeric * $1::bigint::numeric) = $2::bigint",
          .integer(2),
          .integer(2)
        ),
        Case(
          "rating + small > 5",
          "CASE WHEN (t0.rating::numeric + t0.small::numeric) BETWEEN -9223372036854775808 AND "
            + "9223372036854775807 THEN (t0.rating::numeric + t0.small::numeric) ELSE replace("
            + "(t0.rating::double precision + t0.small::double precision)::text, "
            + "'-9.223372036854776e+18', '-9223372036854775808')::numeric END > $1::bigint",
          .integer(5)
        ),
        Case(
          "ratio * 2 == 1",
          "(t0.ratio::double precision * $1::bigint::double precision) = $2::bigint",
          .integer(2),
          .integer(1)
        ),
        Case(
          "medium / 2 == 1",
          "div(t0.medium::numeric, NULLIF($1::bigint::numeric, 0)) = $2::bigint",
          .integer(2),
          .integer(1)
        ),
        Case(
          "ratio / 2 == 1",
          "(t0.ratio::double precision / NULLIF($1::bigint::double precision, 0)) = $2::bigint",
          .integer(2),
          .integer(1)
        ),
        Case(
          "modulus:by:(rating, 2) == 1",
          "mod(t0.rating::numeric, NULLIF($1::bigint::numeric, 0)) = $2::bigint",
          .integer(2),
          .integer(1)
        ),
        Case("abs(small) == 1", "ABS(t0.small::numeric) = $1::bigint", .integer(1)),
        Case(
          "abs(rating) == 1",
          "replace(ABS(t0.rating::numeric)::text, '9223372036854775808', '9223372036854776000')::numeric = $1::bigint",
          .integer(1)
        ),
        Case("floor(ratio) == 1", "floor(t0.ratio) = $1::bigint", .integer(1)),
        Case("ceiling(ratio) == 1", "ceil(t0.ratio) = $1::bigint", .integer(1)),
        Case("trunc(ratio) == 1", "trunc(t0.ratio) = $1::bigint", .integer(1)),
        Case(
          "sqrt(ratio) == 2",
          "CASE WHEN t0.ratio >= 0 THEN sqrt(t0.ratio::double precision) END = $1::bigint",
          .integer(2)
        ),
        Case(
          "ln(ratio) < 2",
          "CASE WHEN t0.ratio > 0 THEN ln(t0.ratio::double precision) WHEN t0.ratio = 0 THEN "
            + "'-Infinity' END < $1::bigint",
          .integer(2)
        ),
        Case(
          "log(ratio) < 2",
          "CASE WHEN t0.ratio > 0 THEN log(t0.ratio::double precision) WHEN t0.ratio = 0 THEN "
            + "'-Infinity' END < $1::bigint",
          .integer(2)
        ),
        Case(
          "exp(ratio) > 2",
          "CASE WHEN t0.ratio > 709.78 THEN 'Infinity' WHEN t0.ratio < -745.13 THEN 0 ELSE "
            + "exp(t0.ratio::double precision) END > $1::bigint",
          .integer(2)
        ),
        Case(
          "bitwiseAnd:with:(rating, 6) == 2",
          "(t0.rating::bigint & $1::bigint::bigint) = $2::bigint",
          .integer(6),
          .integer(2)
        ),
        Case(
          "bitwiseOr:with:(rating, 6) == 7",
          "(t0.rating::bigint | $1::bigint::bigint) = $2::bigint",
          .integer(6),
          .integer(7)
        ),
        Case(
          "bitwiseXor:with:(rating, 6) == 1",
          "(t0.rating::bigint # $1::bigint::bigint) = $2::bigint",
          .integer(6),
          .integer(1)
        ),
        Case("onesComplement(rating) == 1", "(~t0.rating::bigint) = $1::bigint", .integer(1)),
        Case("CAST(createdAt, 'NSNumber') > 5", "t0.created_at > $1::bigint", .integer(5)),
        Case(
          "TERNARY(rating > 3, small, medium) == 1",
          "CASE WHEN t0.rating > $1::bigint THEN t0.small ELSE t0.medium END = $2::bigint",
          .integer(3),
          .integer(1)
        ),
      ]
    }

    static var texts: [Case] {
      [
        Case("title == 'a'", "t0.title = $1::text", .text("a")),
        Case("title ==[c] 'A'", "perennial_fold_c(t0.title) = $1::text", .text("a")),
        Case("title !=[cd] 'Ä'", "NOT (perennial_fold_cd(t0.title) = $1::text)", .text("a")),
        Case(
          "title == category.name",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE t0.title IS NOT DISTINCT FROM t1.name"
        ),
        Case(
          "title ==[cd] category.name",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE perennial_fold_cd(t0.title) IS "
            + "NOT DISTINCT FROM perennial_fold_cd(t1.name)"
        ),
        Case("title BEGINSWITH 'ab'", "starts_with(t0.title, $1::text)", .text("ab")),
        Case(
          "title BEGINSWITH[c] 'A'",
          "(starts_with(perennial_fold_c(t0.title), $1::text) AND "
            + "perennial_begins(perennial_fold_c(t0.title), $2::text))",
          .text("a"),
          .text("a")
        ),
        Case("title BEGINSWITH[cd] 'A'", "starts_with(perennial_fold_cd(t0.title), $1::text)", .text("a")),
        Case("title ENDSWITH 'ab'", "right(t0.title, length($1::text)) = $2::text", .text("ab"), .text("ab")),
        Case("title CONTAINS 'ab'", "strpos(t0.title, $1::text) > 0", .text("ab")),
        Case("NOT title CONTAINS 'ab'", "NOT (strpos(t0.title, $1::text) > 0)", .text("ab")),
        Case("title CONTAINS[c] 'A'", "perennial_has(perennial_fold_c(t0.title), $1::text)", .text("a")),
        Case("title CONTAINS[d] 'ä'", "strpos(perennial_fold_d(t0.title), $1::text) > 0", .text("a")),
        Case("'abc' CONTAINS title", "strpos($1::text, t0.title) > 0", .text("abc")),
        Case(
          "title LIKE 'a?'",
          "perennial_characters(t0.title) ~ $1::text",
          .text(#"^(?:\u0001?a\u0001?[^\u0001]+(?![^\u0001]))$"#)
        ),
        Case("title LIKE 'a*%'", "t0.title LIKE $1::text", .text("a%\\%")),
        Case("title LIKE[cd] '*A*'", "perennial_fold_cd(t0.title) LIKE $1::text", .text("%a%")),
        Case("title MATCHES '[a-c]+x|y'", "t0.title ~ $1::text", .text("^(?:[a-c]+x|y)$")),
        Case("title < 'B'", "t0.title < $1::text COLLATE \"C\"", .text("B")),
        Case(
          "title <[c] 'B'",
          "perennial_fold_c(t0.title) < perennial_fold_c($1::text) COLLATE \"C\"",
          .text("B")
        ),
        Case("lowercase:(title) == 'a'", "perennial_lowercase(t0.title) = $1::text", .text("a")),
        Case("uppercase:(title) == 'A'", "perennial_uppercase(t0.title) = $1::text", .text("A")),
        Case("canonical:(title) == 'a'", "perennial_fold_cd(t0.title) = $1::text", .text("a")),
        Case("length:(title) > 3", "perennial_length(t0.title) > $1::bigint", .integer(3)),
        Case("title.length > 3", "perennial_length(t0.title) > $1::bigint", .integer(3)),
        Case("title == \"x' OR '1'='1\"", "t0.title = $1::text", .text("x' OR '1'='1")),
      ]
    }

    static var lists: [Case] {
      [
        Case("rating IN {1, 2}", "t0.rating IN (SELECT unnest($1::bigint[]))", .text("{\"1\",\"2\"}")),
        Case("rating IN {}", "FALSE"),
        Case(
          "NOT rating IN {1}",
          "t0.rating NOT IN (SELECT unnest($1::bigint[]))",
          .text("{\"1\"}")
        ),
        Case(
          "rating IN {1, 2.5}",
          "t0.rating IN (SELECT unnest($1::bigint[])) OR t0.rating IN (SELECT unnest($2::numeric[]))",
          .text("{\"1\"}"),
          .text("{\"2.5\"}")
        ),
        Case(
          "rating IN %@",
          [[1, NSNull()] as [Any]],
          "t0.rating IN (SELECT unnest($1::bigint[])) OR t0.rating IS NULL",
          .text("{\"1\"}")
        ),
        Case(
          "title IN %@",
          [["a\"b", "c,d"]],
          "t0.title IN (SELECT unnest($1::text[]))",
          .text("{\"a\\\"b\",\"c,d\"}")
        ),
        Case(
          "title IN[c] {'A'}",
          "perennial_fold_c(t0.title) IN (SELECT unnest($1::text[]))",
          .text("{\"a\"}")
        ),
        Case(
          "identifier IN %@",
          [[PredicateTranslationTests.identifier]],
          "t0.identifier IN (SELECT unnest($1::uuid[]))",
          .text("{\"01020304-0506-0708-090a-0b0c0d0e0f10\"}")
        ),
        Case(
          "price IN %@",
          [[Decimal(string: "10.5"), Decimal(7)]],
          "t0.price IN (SELECT unnest($1::numeric[]))",
          .text("{\"10.5\",\"7\"}")
        ),
        Case(
          "body IN %@",
          [[Data([1, 255])]],
          "t0.body IN (SELECT unnest($1::bytea[]))",
          .text("{\"\\\\x01ff\"}")
        ),
        Case(
          "title IN {category.name, 'x'}",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE t0.title IS NOT DISTINCT FROM "
            + "t1.name OR t0.title = $1::text",
          .text("x")
        ),
      ]
    }

    static var keyPaths: [Case] {
      [
        Case("category == nil", "t0.category IS NULL"),
        Case(
          "category.name == 'a'",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE t1.name = $1::text",
          .text("a")
        ),
        Case(
          "category.badge == nil",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE t1.badge IS NULL"
        ),
        Case(
          "ANY tags.name == 'a'",
          "EXISTS (SELECT 1 FROM note_tags t2 JOIN tag t1 ON t1.z_pk = t2.note_tags WHERE "
            + "t2.tag_notes = t0.z_pk AND t1.name = $1::text)",
          .text("a")
        ),
        Case(
          "NONE pages.number == 1",
          "NOT EXISTS (SELECT 1 FROM page t1 WHERE t1.note = t0.z_pk AND t1.number = $1::bigint)",
          .integer(1)
        ),
        Case(
          "ALL pages.number > 1",
          "NOT EXISTS (SELECT 1 FROM page t1 WHERE t1.note = t0.z_pk AND (t1.number > "
            + "$1::bigint) IS NOT TRUE)",
          .integer(1)
        ),
        Case(
          "pages.@count > 2",
          "(SELECT COUNT(*) FROM page t1 WHERE t1.note = t0.z_pk) > $1::bigint",
          .integer(2)
        ),
        Case(
          "tags[SIZE] > 2",
          "(SELECT COUNT(*) FROM note_tags t2 JOIN tag t1 ON t1.z_pk = t2.note_tags WHERE "
            + "t2.tag_notes = t0.z_pk) > $1::bigint",
          .integer(2)
        ),
        Case(
          "pages.@max.number == 2",
          "(SELECT MAX(t1.number) FROM page t1 WHERE t1.note = t0.z_pk) = $1::bigint",
          .integer(2)
        ),
        Case(
          "pages.@sum.number > 2",
          "COALESCE((SELECT SUM(t1.number) FROM page t1 WHERE t1.note = t0.z_pk), 0) > $1::bigint",
          .integer(2)
        ),
        Case(
          "pages.@avg.number > 2",
          "(SELECT AVG(t1.number::double precision) FROM page t1 WHERE t1.note = t0.z_pk) > $1::bigint",
          .integer(2)
        ),
        Case(
          "category.notes.@max.identifier == identifier",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE (SELECT "
            + "MAX(t2.identifier::text)::uuid FROM note t2 WHERE t2.category = t1.z_pk) IS NOT "
            + "DISTINCT FROM t0.identifier"
        ),
        Case(
          "category.notes.@min.title == 'a'",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE (SELECT MIN(t2.title) FROM note "
            + "t2 WHERE t2.category = t1.z_pk) = $1::text",
          .text("a")
        ),
        Case(
          "SUBQUERY(pages, $p, $p.number > 1 AND $p.note.rating == rating).@count == 1",
          "(SELECT COUNT(*) FROM page t1 LEFT JOIN note t2 ON t2.z_pk = t1.note WHERE t1.note = "
            + "t0.z_pk AND (t1.number > $1::bigint AND t2.rating IS NOT DISTINCT FROM t0.rating)) = "
            + "$2::bigint",
          .integer(1),
          .integer(1)
        ),
        Case(
          "ANY category.notes.title == 'a'",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE EXISTS (SELECT 1 FROM note t2 "
            + "WHERE t2.category = t1.z_pk AND t2.title = $1::text)",
          .text("a")
        ),
        Case(
          "ANY category.notes.tags.name == 'a'",
          " LEFT JOIN category t1 ON t1.z_pk = t0.category WHERE EXISTS (SELECT 1 FROM note t2 "
            + "JOIN note_tags t4 ON t4.tag_notes = t2.z_pk JOIN tag t3 ON t3.z_pk = t4.note_tags "
            + "WHERE t2.category = t1.z_pk AND t3.name = $1::text)",
          .text("a")
        ),
        Case(
          "rating == 1 OR rating == 2 AND title == 'x'",
          "t0.rating = $1::bigint OR (t0.rating = $2::bigint AND t0.title = $3::text)",
          .integer(1),
          .integer(2),
          .text("x")
        ),
        Case(
          "SUBQUERY(pages, $p, FALSEPREDICATE).@count == 0",
          "(SELECT COUNT(*) FROM page t1 WHERE t1.note = t0.z_pk AND FALSE) = $1::bigint",
          .integer(0)
        ),
      ]
    }

    @Test("comparisons cast bound values, and Booleans are numbers", arguments: comparisons)
    func comparison(_ example: Case) throws { try check(example) }

    @Test(
      "calculations neither overflow nor divide by zero, and functions return results as in memory",
      arguments: numbers
    )
    func number(_ example: Case) throws { try check(example) }

    @Test(
      "text tests fold both sides, and patterns are translated if they mean the same",
      arguments: texts
    )
    func text(_ example: Case) throws { try check(example) }

    @Test("a list of any length is one array of its type", arguments: lists)
    func list(_ example: Case) throws { try check(example) }

    @Test("key paths join, and to-many relationships are asked by a query inside", arguments: keyPaths)
    func keyPath(_ example: Case) throws { try check(example) }

    private func check(_ example: Case) throws {
      let statement = try PostgreSQLText.condition(example.format, example.arguments)
      #expect(statement.sql == example.sql)
      #expect(statement.bindings == example.bindings)
    }

    @Test(
      "conditions without equivalent SQL in PostgreSQL are left to memory before anything runs",
      arguments: [
        "title LIKE category.name", "title MATCHES '\\\\bx'", "title MATCHES[c] 'a'",
        "title MATCHES '(?i)a'", "leftshift:by:(rating, 2) == 4", "ratio ** 2 == 4",
        "bitwiseAnd:with:(ratio, 2) == 2", "(rating + 1) * 2 == 4",
      ]
    )
    func refused(_ format: String) {
      let found = #expect(throws: SQLUntranslatable.self) { try PostgreSQLText.condition(format) }
      let error = found?.error as? NSError
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
      #expect(error?.localizedDescription.contains("PostgreSQL") == true)
    }

    @Test("functions in functions do not grow with the power of their depth")
    func nestedFunctions() throws {
      let inner = (0..<60).reduce("ratio") { expression, _ in "exp:(\(expression))" }
      #expect(throws: SQLUntranslatable.self) { try PostgreSQLText.condition("\(inner) > 1") }
    }

    @Test(
      "calculations with decimal numbers are left to memory before anything runs",
      arguments: PredicateTranslationTests.decimals
    )
    func decimals(_ format: String) {
      #expect(throws: SQLUntranslatable.self) { try PostgreSQLText.condition(format) }
    }
  }
#endif
