#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Predicates
  import Synchronization

  /// The codes that a server maps differently from memory: the dotless `ı`, letters that only one of them
  /// knows, and codes that a newer Unicode decomposes, or combines with the code before.
  struct PostgreSQLCorrections: Sendable {
    /// A code and its mapping in memory.
    struct Pair: Equatable, Sendable {
      let code: Unicode.Scalar
      let mapped: Unicode.Scalar
    }

    /// A server's mappings of a code.
    struct Answer: Sendable {
      let lowercase: String
      let uppercase: String
      let folded: String
    }

    /// Asks for all codes that a server gives another case: a row has the code's number and the three texts
    /// of an `Answer`.
    private static let question = """
      SELECT code, lower(letter), upper(letter), lower(upper(lower(letter))) FROM ( \
      SELECT code, chr(code) \(PostgreSQLFunctions.anyLanguage) AS letter \
      FROM generate_series(128, 131071) AS code \
      WHERE code NOT BETWEEN 12352 AND 42559 AND code NOT BETWEEN 44032 AND 63743) \
      AS letters WHERE lower(letter) <> letter OR upper(letter) <> letter
      """

    /// The codes that the question is about: the scripts between have no case.
    private static let asked = [0x80...0x303F, 0xA640...0xABFF, 0xF900...0x1FFFF].joined()
      .compactMap(Unicode.Scalar.init)

    private(set) var folds: [Pair] = []
    private(set) var lowercase: [Pair] = []
    private(set) var uppercase: [Pair] = []
    /// The marks whose place in a decomposed text the server does not know.
    private(set) var marks: [Unicode.Scalar] = []
    /// The codes that the server does not decompose, and their parts.
    private(set) var compositions: [(code: Unicode.Scalar, parts: String)] = []

    /// None, for a server that maps as memory does.
    init() {}

    /// Those of the servers that were asked, by what decides about cases there.
    private static let known = Mutex<[String: Self]>([:])

    /// The corrections of a server, which is asked once in the life of a process.
    static func corrections(for connection: PostgreSQLConnection) throws -> Self {
      let versions = try connection.run(
        """
        SELECT version() || ' ' || coalesce(pg_collation_actual_version(oid), '') FROM pg_collation \
        WHERE collname = 'und-x-icu'
        """
      )
      guard versions.rowCount > 0, let version = versions.text(0, column: 0) else {
        return try Self(asking: connection)
      }
      if let known = known.withLock({ $0[version] }) { return known }
      let found = try Self(asking: connection)
      known.withLock { $0[version] = found }
      return found
    }

    /// Queries a server, which takes a tenth of a second.
    init(asking connection: PostgreSQLConnection) throws {
      let result = try connection.run(Self.question)
      var answers: [UInt32: Answer] = [:]
      for row in 0..<result.rowCount {
        guard let code = result.integer(row, column: 0).flatMap(UInt32.init(exactly:)),
          let lowercase = result.text(row, column: 1), let uppercase = result.text(row, column: 2),
          let folded = result.text(row, column: 3)
        else { continue }
        answers[code] = Answer(lowercase: lowercase, uppercase: uppercase, folded: folded)
      }
      self.init(answers)
      marks = try Self.unknownMarks(connection)
      compositions = try Self.unknownCompositions(connection)
    }

    /// True when decomposing texts with such a code needs more than the server's own function.
    var decomposes: Bool { !marks.isEmpty || !compositions.isEmpty }

    /// Finds the marks whose combining class the server does not know: it does not sort them when they
    /// are next to a mark of another class.
    private static func unknownMarks(_ connection: PostgreSQLConnection) throws -> [Unicode.Scalar] {
      let known = PostgreSQLCombiningMarks.combining
      let result = try connection.run(
        """
        SELECT number FROM unnest($1::integer[], $2::integer[]) AS marks (number, class), \
        LATERAL (SELECT CASE WHEN class = 1 THEN U&'\\0301' || chr(number) \
        ELSE chr(number) || U&'\\0334' END) AS pairs (pair) WHERE normalize(pair, NFD) = pair
        """,
        values: [
          PostgreSQLArray(integers: known.map { Int64($0.code.value) }, type: "integer").value,
          PostgreSQLArray(integers: known.map { Int64($0.combiningClass) }, type: "integer").value,
        ]
      )
      return (0..<result.rowCount).compactMap { result.integer($0, column: 0) }
        .compactMap { UInt32(exactly: $0).flatMap(Unicode.Scalar.init) }
    }

    private static func unknownCompositions(
      _ connection: PostgreSQLConnection
    ) throws -> [(code: Unicode.Scalar, parts: String)] {
      var known: [(code: Unicode.Scalar, parts: String)] = []
      for code in asked {
        let text = String(code)
        let parts = text.decomposedStringWithCanonicalMapping
        if parts.utf8.count == text.utf8.count, parts.unicodeScalars.first == code { continue }
        known.append((code, parts))
      }
      var (codes, parts) = (PostgreSQLArray(type: "integer"), PostgreSQLArray(type: "text"))
      for composition in known {
        codes.append(.integer(Int64(composition.code.value)))
        parts.append(.text(composition.parts))
      }
      let result = try connection.run(
        """
        SELECT number FROM unnest($1::integer[], $2::text[]) AS compositions (number, parts) \
        WHERE normalize(chr(number), NFD) COLLATE "C" <> parts
        """,
        values: [codes.value, parts.value]
      )
      let unknown = Set((0..<result.rowCount).compactMap { result.integer($0, column: 0) })
      return known.filter { unknown.contains(Int64($0.code.value)) }
    }

    /// Compares a server's answers, by their codes, with memory's.
    init(_ answers: [UInt32: Answer]) {
      for code in Self.asked {
        let given = answers[code.value]
        if given == nil, !Self.hasCase(code) { continue }
        let text = String(code)
        let answer = given ?? Answer(lowercase: text, uppercase: text, folded: text)
        Self.add(code, mapped: text.lowercased(), answered: answer.lowercase, to: &lowercase)
        Self.add(code, mapped: text.uppercased(), answered: answer.uppercase, to: &uppercase)
        let decomposed = text.decomposedStringWithCanonicalMapping.unicodeScalars
        guard decomposed.elementsEqual(CollectionOfOne(code)) else { continue }
        let folded = answer.folded == "ς" ? "σ" : answer.folded
        Self.add(code, mapped: TextOptions.caseInsensitive.folded(text), answered: folded, to: &folds)
      }
    }

    /// False for a code that memory gives no other case.
    private static func hasCase(_ code: Unicode.Scalar) -> Bool {
      let properties = code.properties
      return properties.changesWhenLowercased || properties.changesWhenUppercased
        || properties.changesWhenCaseFolded
    }

    /// Adds a code that memory maps to another one code than the server does.
    private static func add(
      _ code: Unicode.Scalar,
      mapped: String,
      answered: String,
      to pairs: inout [Pair]
    ) {
      let mapped = mapped.unicodeScalars
      guard let only = mapped.first, mapped.count == 1, !mapped.elementsEqual(answered.unicodeScalars) else { return }
      pairs.append(Pair(code: code, mapped: only))
    }
  }
#endif
