#if PostgreSQL
  import CoreData
  import Foundation
  import Predicates

  /// The SQL of PostgreSQL, from version 15.
  ///
  /// It counts on the functions and collations that a store makes in its schema: see ``PostgreSQLFunctions``.
  struct PostgreSQLDialect: SQLDialect {
    /// True where the schema has the functions and collations. Without them, memory folds texts, and sorts them in
    /// every order except that of their codes.
    var folds = true
    /// True where the schema has the functions, from any version of the library, so that indexes can use them.
    var hasFunctions = true
    /// The prefix of tables in queries, and of functions and collations: the store's schema and a point, or empty
    /// where the search path contains the schema.
    private(set) var qualifier = ""

    /// - Parameter schema: the schema that queries and indexes name; `nil` where the search path contains it.
    init(folds: Bool = true, hasFunctions: Bool = true, schema: String? = nil) {
      self.folds = folds
      self.hasFunctions = hasFunctions
      if let schema { qualifier = identifier(schema) + "." }
    }

    func table(_ name: String) -> String { qualifier + identifier(name) }

    /// - Throws: ``SQLUntranslatable`` where the schema has no functions.
    func requireFunctions(for part: String) throws {
      if !folds { throw SQLUntranslatable(part: part, reason: "the store does without functions for texts") }
    }

    func identifier(_ name: String) -> String {
      let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
        default: false
        }
      }
      return isPlain && !Self.reserved.contains(name) ? name : "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// The keywords that are not valid as names: those to which `pg_get_keywords()` gives R or T.
    private static let reserved = Set(
      """
      all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation \
      column concurrently constraint create cross current_catalog current_date current_role current_schema current_time \
      current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze \
      from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit \
      localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references \
      returning right select session_user similar some symmetric table tablesample then to trailing true union unique user \
      using variadic verbose when where window with
      """.split(separator: " ").map(String.init)
    )

    func placeholder(_ number: Int) -> String { "$\(number)" }

    func placeholder(_ number: Int, of value: SQLValue, as kind: SQLKind?) -> String {
      switch (value, kind) {
      case (.null, _): "$\(number)"
      case (_, .uuid): "$\(number)::uuid"
      case (.text, .decimal): "$\(number)::numeric"
      case (.integer, _): "$\(number)::bigint"
      // In a comparison, a floating-point parameter would turn integers into floating-point numbers, which do not
      // distinguish all of them.
      case (.real, .integer): "$\(number)::double precision::text::numeric"
      case (.real, _): "$\(number)::double precision"
      case (.text, _): "$\(number)::text"
      case (.blob, _): "$\(number)::bytea"
      }
    }

    var derivedTableAlias: String { " AS found" }

    func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter) {
      for (word, count) in [("LIMIT", limit), ("OFFSET", offset)] where count > 0 {
        writer.write(" \(word) ")
        writer.bind(.integer(Int64(count)), as: .integer)
      }
    }

    // MARK: - Values

    func binding(_ uuid: UUID) -> SQLValue { .text(uuid.uuidString.lowercased()) }

    func binding(_ decimal: Decimal) -> SQLValue? { decimal.isNaN ? nil : .text(decimal.description) }

    var externalDataMark: Data? { nil }

    // MARK: - Tables

    func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String {
      let type = elementType(storage, of: attribute)
      // Texts are ordered by the codes of their characters, as in memory.
      return type == "text" ? "text COLLATE \"C\"" : type
    }

    /// The type of a column's values, as the elements of an array have it.
    func elementType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String {
      switch (storage, attribute) {
      case (.integer, .booleanAttributeType): "boolean"
      case (.integer, .integer16AttributeType): "smallint"
      case (.integer, .integer32AttributeType): "integer"
      case (.integer, _), (.order, _): "bigint"
      case (.real, _): "double precision"
      case (.decimal, _): "numeric"
      case (.text, _), (.uri, _): "text"
      case (.uuid, _): "uuid"
      case (.transformable, _), (.binary, _): "bytea"
      }
    }

    func indexElement(_ column: String, isAscending: Bool) -> String {
      "\(identifier(column)) \(isAscending ? "NULLS FIRST" : "DESC NULLS LAST")"
    }

    func foldedIndexElement(_ column: String, folding: TextOptions) -> String {
      "\(qualifier)perennial_fold_\(folding.letters)(\(identifier(column)))"
    }

    func canBuild(_ index: SQLIndex) -> Bool { hasFunctions || !index.isFolded }

    // MARK: - Rows

    func insertionOfMissing(into table: String, columns: [String], rows: String) -> String {
      "INSERT INTO \(identifier(table)) (\(columns.map(identifier).joined(separator: ", "))) \(rows) "
        + "ON CONFLICT DO NOTHING"
    }

    func conflictTarget(_ constraints: [SQLConstraint]) throws -> String {
      guard constraints.count == 1 else {
        throw SQLTranslationFailure.error(
          "An insertion into \(constraints.first?.table ?? "")",
          reason:
            "PostgreSQL resolves the conflicts of one constraint in a statement, and there are \(constraints.count)"
        )
      }
      return " (\(constraints[0].columns.map(identifier).joined(separator: ", ")))"
    }

    func conflictingColumn(_ column: String, of table: String) -> String {
      "\(identifier(table)).\(identifier(column))"
    }

    func writeAssigned(
      _ value: SQLWrite,
      _ scalar: SQLScalar,
      to attribute: NSAttributeDescription,
      to writer: inout SQLWriter
    ) throws {
      let (prefix, suffix) =
        switch (attribute.attributeType, scalar.kind) {
        case (.booleanAttributeType, _): ("((", ") <> 0)")
        case (_, .integer): ("", "")
        default: SQLKind(attribute) == .integer ? ("trunc((", ")::double precision)::bigint") : ("", "")
        }
      writer.write(prefix)
      try value(&writer)
      writer.write(suffix)
    }

    func rowLock(_ alias: String) -> String { " FOR NO KEY UPDATE OF \(alias)" }

    /// PostgreSQL's texts cannot contain the character U+0000
    /// (<https://www.postgresql.org/docs/current/datatype-character.html>), so only memory can evaluate a
    /// comparison with a text that contains it.
    func check(_ bindings: [SQLValue]) throws {
      // The protocol counts them in 16 bits.
      try requireAtMost(65_535, bindings: bindings, database: "PostgreSQL")
      for case .text(let text) in bindings where text.utf8.contains(0) {
        throw SQLUntranslatable(part: "A text with the character U+0000", reason: "PostgreSQL has no such text")
      }
    }

    /// `ctid` identifies a row of a join table as long as no transaction writes the table:
    /// <https://www.postgresql.org/docs/current/ddl-system-columns.html>.
    func rowIdentifier(ofKey columns: [String]) -> String { columns.count == 1 ? identifier(columns[0]) : "ctid" }
  }
#endif
