#if PostgreSQL
  import Foundation
  import PostgreSQLDriver
  import Predicates
  import TestSupport
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// Compares the server's functions with the evaluation in memory.
  @Suite(
    "Functions in PostgreSQL",
    .enabled(if: FunctionServer.url != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct PostgreSQLFunctionTests {
    private let server: FunctionServer

    init() throws { server = try FunctionServer() }

    @Test("the functions map every code point as memory does")
    func codes() throws {
      // The characters are tested in blocks, whose results are joined.
      let codes = (UInt32(1)...0x10FFFF).compactMap(Unicode.Scalar.init)
      // The first two planes contain almost all characters with case.
      let blocks = 0..<(codes.count + 0xFFF) / 0x1000
      for number in Array(blocks.prefix(32)) + Soak.sample(blocks.dropFirst(32)) {
        let start = number * 0x1000
        let block = codes[start..<min(start + 0x1000, codes.count)].map { String($0) }
        let joined = FunctionServer.mappings.map { function, _ in
          "string_agg(\(function)(code), ' ' ORDER BY place)"
        }
        let result = try server.connection.run(
          """
          SELECT \(joined.joined(separator: ", ")) \
          FROM unnest($1::text[]) WITH ORDINALITY AS codes (code, place)
          """,
          values: [.text(FunctionServer.list(block))],
          isCached: true
        )
        for (column, (function, mapped)) in FunctionServer.mappings.enumerated() {
          let expected = block.map(mapped).joined(separator: " ")
          let isSame = result.text(0, column: column).map { $0.utf8.elementsEqual(expected.utf8) }
          #expect(isSame == true, "\(function), codes from \(codes[start])")
        }
      }
    }

    @Test("the marks that the functions know are all marks of Unicode")
    func marks() {
      var (nonspacing, combining): ([UInt32], [UInt32]) = ([], [])
      var value: UInt32 = 0
      while value <= 0x10FFFF {
        if let code = Unicode.Scalar(value) {
          if code.properties.generalCategory == .nonspacingMark { nonspacing.append(value) }
          if code.properties.canonicalCombiningClass != .notReordered { combining.append(value) }
        }
        value += 1
      }
      #expect(PostgreSQLCombiningMarks.nonspacing.map(\.value) == nonspacing)
      #expect(PostgreSQLCombiningMarks.combining.map(\.code.value) == combining)
    }

    @Test("the functions map texts as memory does")
    func texts() throws {
      var texts = RandomTexts(seed: 1)
      for _ in 0..<Soak.rounds(3_000) {
        let text = texts.next()
        let calls = FunctionServer.mappings.map { "\($0.function)($1)" }
        let result = try server.connection.run(
          "SELECT perennial_length($1), \(calls.joined(separator: ", "))",
          values: [.text(text)],
          isCached: true
        )
        #expect(result.integer(0, column: 0) == Int64(text.utf16.count))
        for (column, (function, mapped)) in FunctionServer.mappings.enumerated() {
          let isSame = result.text(0, column: column + 1).map { $0.utf8.elementsEqual(mapped(text).utf8) }
          #expect(isSame == true, "\(function) of \(RandomTexts.codes(text))")
        }
      }
    }

    @Test("functions find prefixes and substrings at whole characters")
    func parts() throws {
      var texts = RandomTexts(seed: 2)
      for _ in 0..<Soak.rounds(3_000) {
        let text = texts.next()
        let part = texts.part(of: TextOptions.caseInsensitive.folded(text))
        let result = try server.connection.run(
          "SELECT perennial_begins(perennial_fold_c($1), $2), perennial_has(perennial_fold_c($1), $2)",
          values: [.text(text), .text(TextOptions.caseInsensitive.folded(part))],
          isCached: true
        )
        for (column, operation) in [TextMatcher.Operation.beginsWith, .contains].enumerated() {
          let expected = try TextMatcher(operation, pattern: part, options: .caseInsensitive).matches(text)
          let comment: Comment = "\(operation) \(RandomTexts.codes(part)) in \(RandomTexts.codes(text))"
          #expect(result.integer(0, column: column) == (expected ? 1 : 0), comment)
        }
      }
    }

    @Test("functions return null for null")
    func null() throws {
      let calls =
        FunctionServer.mappings.map { "\($0.function)(NULL)" } + [
          "perennial_length(NULL)", "perennial_characters(NULL)", "perennial_begins(NULL, '')",
          "perennial_has(NULL, '')", "perennial_begins('', NULL)", "perennial_has('', NULL)",
        ]
      let result = try server.connection.run("SELECT \(calls.joined(separator: ", "))")
      for column in calls.indices { #expect(result.isNull(0, column: column), "\(calls[column])") }
    }

    @Test("comparisons with functions can use an index")
    func index() throws {
      try server.connection.runScript(
        """
        CREATE TABLE names (name text COLLATE "C");
        INSERT INTO names SELECT 'Éva ' || number FROM generate_series(1, 10000) AS number;
        CREATE INDEX names_folded ON names (perennial_fold_cd(name));
        ANALYZE names
        """
      )
      for condition in [
        "perennial_fold_cd(name) = 'eva 7'", "starts_with(perennial_fold_cd(name), 'eva 77')",
      ] {
        let plan = try server.connection.run("EXPLAIN SELECT name FROM names WHERE \(condition)")
        let lines = (0..<plan.rowCount).compactMap { plan.text($0, column: 0) }
        #expect(lines.contains { $0.contains("names_folded") }, "\(lines)")
      }
    }

    @Test("functions can be created again")
    func again() throws {
      try server.make()
      #expect(try server.connection.run("SELECT perennial_fold_cd('ÉVA')").text(0, column: 0) == "eva")
    }
  }

  /// A schema with the functions, which is removed with the connection's object.
  private final class FunctionServer {
    static let url = StoreKind.directPostgreSQLServer

    /// The functions from text to text, with their equivalents in memory.
    static let mappings: [(function: String, mapped: @Sendable (String) -> String)] = [
      ("perennial_fold_c", { TextOptions.caseInsensitive.folded($0) }),
      ("perennial_fold_d", { TextOptions.diacriticInsensitive.folded($0) }),
      ("perennial_fold_cd", { TextOptions([.caseInsensitive, .diacriticInsensitive]).folded($0) }),
      ("perennial_lowercase", { $0.lowercased() }),
      ("perennial_uppercase", { $0.uppercased() }),
    ]

    let connection: PostgreSQLConnection
    private let schema = "functions \(UUID().uuidString)"

    init() throws {
      connection = try PostgreSQLConnection(PostgreSQLAddress(#require(Self.url)))
      try connection.run("CREATE SCHEMA \"\(schema)\"")
      try connection.run("SET search_path TO \"\(schema)\"")
      try make()
    }

    deinit { _ = try? connection.run("DROP SCHEMA \"\(schema)\" CASCADE") }

    func make() throws {
      let corrections = try PostgreSQLCorrections(asking: connection)
      let statements = PostgreSQLFunctions.creationStatements(schema: schema, corrections: corrections)
      try connection.runScript("BEGIN; \(statements.joined(separator: "; ")); COMMIT")
    }

    static func list(_ members: [String]) -> String {
      let quoted = members.map { $0 == "\\" || $0 == "\"" ? "\"\\\($0)\"" : "\"\($0)\"" }
      return "{\(quoted.joined(separator: ","))}"
    }
  }

  /// Texts of many scripts, with marks, ligatures, decomposed syllables, and characters with special folding.
  ///
  /// Some of the marks and decomposable letters are unknown to servers with an older Unicode version.
  private struct RandomTexts {
    private static let pools: [[ClosedRange<UInt32>]] = [
      [0x20...0x7E], [0x1...0x1F], [0xA0...0x24F], [0x300...0x36F], [0x370...0x3FF], [0x400...0x52F],
      [0x5B0...0x5EA], [0x610...0x65F], [0x900...0x97F], [0x9C0...0x9DF], [0xE00...0xE5F], [0x1100...0x1112],
      [0x1161...0x1175], [0x11A8...0x11C2], [0xAC00...0xAC40], [0x10A0...0x10FF], [0x13A0...0x13FD],
      [0x1C90...0x1CBF], [0x1E00...0x1FFF], [0x2000...0x206F], [0x2126...0x2132], [0x3041...0x309A],
      [0xA640...0xA69F], [0xA720...0xA7DC], [0xD7F0...0xD7FB, 0xE000...0xE010, 0xFFF0...0x10010],
      [0xF900...0xF910, 0x2F800...0x2F810], [0xFB00...0xFB06, 0xFB13...0xFB4F], [0x10400...0x1044F],
      [0x10D50...0x10D65], [0x1D15E...0x1D164], [0x1E900...0x1E94A], [0x10FFF0...0x10FFFF],
      [0x1DFA...0x1DFA, 0x0897...0x0897, 0x0301...0x0301, 0x0334...0x0334],
      [0x1E08F...0x1E08F, 0x10EFD...0x10EFF, 0x1E4EC...0x1E4EF, 0x10D69...0x10D6D, 0x1E5EE...0x1E5EF],
      [0x105C9...0x105E4, 0x11383...0x11391, 0x113B8...0x113C9, 0x16121...0x16129, 0x16D63...0x16D6A],
      [0x49...0x49, 0x69...0x69, 0x130...0x131, 0x307...0x307, 0x345...0x345],
      [0x3A3...0x3A3, 0x3C2...0x3C3, 0x3B1...0x3B1, 0x20...0x20],
      [0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0x1F466...0x1F469, 0x200D...0x200D, 0xFE0F...0xFE0F],
    ]

    private var numbers: SplitMix

    init(seed: UInt64) { numbers = SplitMix(seed: seed) }

    mutating func next() -> String {
      // A text uses a few pools, so that related characters meet.
      var chosen = [[0x300...0x36F, 0x61...0x7A] as [ClosedRange<UInt32>]]
      for _ in 0..<3 { chosen += Self.pools.randomElement(using: &numbers).map { [$0] } ?? [] }
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &numbers) {
        guard let range = chosen.randomElement(using: &numbers)?.randomElement(using: &numbers),
          let code = Unicode.Scalar(UInt32.random(in: range, using: &numbers))
        else { continue }
        text.append(code)
      }
      return String(text)
    }

    mutating func part(of text: String) -> String {
      let codes = Array(text.unicodeScalars)
      let start = Bool.random(using: &numbers) ? 0 : Int.random(in: 0...codes.count, using: &numbers)
      let end = Int.random(in: start...codes.count, using: &numbers)
      return String(String.UnicodeScalarView(codes[start..<end]))
    }

    static func codes(_ text: String) -> String {
      text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }
  }
#endif
