#if PostgreSQL
  import CoreData
  import Foundation
  import Predicates

  /// The functions and collations in a store's schema, with which the server gives the same results for
  /// texts as the evaluation in memory.
  ///
  /// Each function is one SQL expression, which the server inlines into the query: an index on a folded column serves
  /// comparisons with it, and a call costs no more than its expression:
  /// <https://wiki.postgresql.org/wiki/Inlining_of_SQL_functions>. To be inlined, the functions are not declared as
  /// STRICT, although all return null for null, and those with a folded text as argument use it once.
  ///
  /// Some codes do not occur in decomposed texts. They replace the codes that the server folds differently
  /// from memory, and mark places in folded texts.
  enum PostgreSQLFunctions {
    /// The statements that make the functions and collations, to be run in one transaction: processes that
    /// make them at once wait for each other.
    ///
    /// If the statements change, indexes on folded columns have to be rebuilt.
    static func creationStatements(
      schema: String,
      corrections: PostgreSQLCorrections = PostgreSQLCorrections(),
      version: PostgreSQLFunctionVersion? = nil
    ) -> [String] {
      let schema = "\"\(schema.replacing("\"", with: "\"\""))\""
      let collations = collations.map { name, locale in
        """
        CREATE COLLATION IF NOT EXISTS \(schema).\(name) \
        (provider = icu, locale = '\(locale)', deterministic = false)
        """
      }
      let functions = functions(corrections, schema: schema).map { function in
        """
        CREATE OR REPLACE FUNCTION \(schema).\(function.name) LANGUAGE sql IMMUTABLE PARALLEL SAFE \
        RETURN \(function.expression)
        """
      }
      let comments = version.map { version in
        let text = version.text.replacing("'", with: "''")
        return "COMMENT ON FUNCTION \(schema).perennial_fold_c(text) IS '\(text)'"
      }
      return ["SELECT pg_advisory_xact_lock(hashtext('perennial functions'))"] + collations + functions
        + [comments].compactMap(\.self)
    }

    /// The names of the collations.
    static var collationNames: [String] { collations.map(\.0) }

    /// The number of marks that memory knows. It grows with each version of Unicode.
    static let markCount = PostgreSQLCombiningMarks.nonspacing.count { $0.value <= 0x1FFFF }

    /// The collations of `TextOrder.locale`, for no particular country. Texts that differ only in features
    /// which a collation ignores are equal to it.
    private static let collations = [
      ("perennial_locale", "und-u-kk-true"),
      ("perennial_locale_c", "und-u-kk-true-ks-level2"),
      ("perennial_locale_d", "und-u-kc-true-kk-true-ks-level1"),
      ("perennial_locale_cd", "und-u-kk-true-ks-level1"),
      ("perennial_finderlike", "und-u-kk-true-kn-true-ks-level2"),
    ]

    // MARK: - Functions

    private static func functions(
      _ corrections: PostgreSQLCorrections,
      schema: String
    ) -> [(name: String, expression: String)] {
      let decomposed = "normalize($1, NFD)"
      // After a mark is removed, the marks around it may have to be reordered.
      let unmarked = "normalize(regexp_replace(\(decomposed), '[\(nonspacingMarks)]+', '', 'g'), NFD)"
      let lowercase = "lower($1 COLLATE \"C\")"
      // Characters that only a newer Unicode version knows are rare, and slower.
      let ordered = "\(schema).perennial_decomposed"
      let newer =
        corrections.decomposes
        ? text(corrections.marks + corrections.compositions.map(\.code)) : nil
      func ofNewer(_ value: String) -> String {
        newer.map { "WHEN $1 ~ '[\($0)]' THEN \(value) " } ?? ""
      }
      let orderedUnmarked = "\(ordered)(regexp_replace(\(ordered)($1), '[\(nonspacingMarks)]+', '', 'g'))"
      let decomposing =
        newer == nil
        ? []
        : [
          (
            "perennial_decomposed(text) RETURNS text",
            PostgreSQLCombiningMarks.decomposed("$1", corrections: corrections)
          )
        ]
      return decomposing + [
        (
          "perennial_fold_c(text) RETURNS text",
          ofASCII(
            lowercase,
            others: ofNewer(newFolded("\(ordered)($1)", corrections: corrections.folds))
              + caseFolded(decomposed, corrections: corrections.folds)
          )
        ),
        ("perennial_fold_d(text) RETURNS text", ofASCII("$1", others: "\(ofNewer(orderedUnmarked))ELSE \(unmarked)")),
        (
          "perennial_fold_cd(text) RETURNS text",
          ofASCII(
            lowercase,
            others: ofNewer(newFolded(orderedUnmarked, corrections: corrections.folds))
              + caseFolded(unmarked, corrections: corrections.folds)
          )
        ),
        (
          "perennial_lowercase(text) RETURNS text",
          // At the end of a word, the server's lower case of a capital sigma is another than memory's.
          mapped("lower", corrections: corrections.lowercase + [PostgreSQLCorrections.Pair(code: "Σ", mapped: "σ")])
        ),
        ("perennial_uppercase(text) RETURNS text", mapped("upper", corrections: corrections.uppercase)),
        (
          "perennial_length(text) RETURNS integer",
          // Memory counts in UTF-16, in which a code above U+FFFF has length 2.
          "length(regexp_replace($1, '[\\U00010000-\\U0010FFFF]', '--', 'g'))"
        ),
        // These two expect folded texts, and respect the marks after the text that they find.
        (
          "perennial_begins(text, text) RETURNS boolean",
          "starts_with(\(endsTold(of: "left($1, length($2) + 1)")), \(endsTold(of: "$2")))"
        ),
        ("perennial_has(text, text) RETURNS boolean", "strpos(\(endsTold(of: "$1")), \(endsTold(of: "$2"))) > 0"),
        // U+0001 begins each character: a code and the nonspacing marks after it.
        (
          "perennial_characters(text) RETURNS text",
          """
          regexp_replace(translate($1, U&'\\0001', U&'\\0002'), '[^\(nonspacingMarks)]', \
          U&'\\0001\\\\&', 'g')
          """
        ),
      ]
    }

    /// The expression for ASCII texts, and the branches for other texts.
    private static func ofASCII(_ value: String, others: String) -> String {
      "CASE WHEN octet_length($1) = length($1) THEN \(value) \(others) END"
    }

    /// Folds the case of a decomposed text. Only a small sigma depends on its neighbours.
    private static func caseFolded(_ decomposed: String, corrections: [PostgreSQLCorrections.Pair])
      -> String
    {
      if corrections.isEmpty { return "ELSE \(folded(decomposed))" }
      let codes = text(corrections.map(\.code))
      return
        "WHEN $1 ~ '[\(codes)]' THEN \(newFolded(decomposed, corrections: corrections)) ELSE \(folded(decomposed))"
    }

    /// Folds a decomposed text that may contain codes which the server folds differently.
    private static func newFolded(_ decomposed: String, corrections: [PostgreSQLCorrections.Pair]) -> String {
      let pairs = zip(corrections, standIns)
      let (codes, substitutes) = (text(pairs.map(\.0.code)), text(pairs.map(\.1)))
      let protected = "translate(\(decomposed), '\(codes)', '\(substitutes)')"
      return folded(protected, standIns: substitutes, mapped: text(pairs.map(\.0.mapped)))
    }

    private static func folded(_ decomposed: String, standIns: String = "", mapped: String = "") -> String {
      let folded = "lower(upper(lower(\(decomposed) \(anyLanguage))))"
      return "translate(\(folded), 'ς\(standIns)', 'σ\(mapped)') COLLATE \"C\""
    }

    private static func mapped(_ function: String, corrections: [PostgreSQLCorrections.Pair]) -> String {
      let (codes, mapped) = (text(corrections.map(\.code)), text(corrections.map(\.mapped)))
      let corrected = "translate($1, '\(codes)', '\(mapped)')"
      return ofASCII(
        "\(function)($1 COLLATE \"C\")",
        others: "ELSE \(function)(\(corrected) \(anyLanguage)) COLLATE \"C\""
      )
    }

    /// The folded text in which the last code of the second argument is replaced where a mark follows that
    /// combines with it. The argument is therefore only found at the end of a character.
    private static func endsTold(of folded: String) -> String {
      let marked = "regexp_replace(\(folded), '[\(combiningMarks)]', U&'\\2000\\\\&', 'g')"
      return "replace(\(marked), right($2, 1) || U&'\\2000', U&'\\2001\\2000')"
    }

    /// The collation whose case mappings do not depend on a language.
    static let anyLanguage = "COLLATE \"und-x-icu\""

    // MARK: - Codes

    /// The codes that folding without marks drops.
    private static let nonspacingMarks = ranges(PostgreSQLCombiningMarks.nonspacing)

    /// The codes that belong to the one before them.
    private static let combiningMarks = ranges(PostgreSQLCombiningMarks.combining.map(\.code))

    /// Ideographs that are duplicates of others in all versions of Unicode that servers know. Decomposition
    /// replaces them by the others.
    private static let standIns = [0xF900...0xFA0D, 0x2F800...0x2FA1D].joined().compactMap(Unicode.Scalar.init)

    /// The part between the brackets of a regular expression, for codes in their order.
    static func ranges(_ scalars: [Unicode.Scalar]) -> String {
      var ranges: [ClosedRange<UInt32>] = []
      for code in scalars.map(\.value) {
        if let last = ranges.last, last.upperBound + 1 == code {
          ranges[ranges.count - 1] = last.lowerBound...code
        } else {
          ranges.append(code...code)
        }
      }
      return ranges.map { "\(escaped($0.lowerBound))-\(escaped($0.upperBound))" }.joined()
    }

    private static func escaped(_ code: UInt32) -> String {
      let digits = String(code, radix: 16)
      let count = code > 0xFFFF ? 8 : 4
      return (count == 8 ? "\\U" : "\\u") + String(repeating: "0", count: count - digits.count) + digits
    }

    private static func text(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }
  }
#endif
