#if PostgreSQL
  import CoreData

  /// The marks that Unicode has, as memory knows them.
  enum PostgreSQLCombiningMarks {
    /// A code and its canonical combining class, which is never 0.
    struct Mark: Sendable {
      let code: Unicode.Scalar
      let combiningClass: UInt8
    }

    /// The codes that change their place in decomposed texts, in the order of their numbers.
    static var combining: [Mark] { known.combining }

    /// The codes that folding without marks drops, in the order of their numbers.
    static var nonspacing: [Unicode.Scalar] { known.nonspacing }

    /// The codes among which marks are: the other planes have ideographs, private characters, or none.
    private static let planes: [ClosedRange<UInt32>] = [0x300...0x1FFFF, 0xE0000...0xEFFFF]

    private static let known = {
      var (combining, nonspacing): ([Mark], [Unicode.Scalar]) = ([], [])
      for plane in planes {
        var value = plane.lowerBound
        while value <= plane.upperBound {
          if let code = Unicode.Scalar(value) {
            let combiningClass = code.properties.canonicalCombiningClass.rawValue
            if combiningClass != 0 { combining.append(Mark(code: code, combiningClass: combiningClass)) }
            if code.properties.generalCategory == .nonspacingMark { nonspacing.append(code) }
          }
          value += 1
        }
      }
      return (combining: combining, nonspacing: nonspacing)
    }()

    /// The expression of a decomposed text in canonical order, for a text that may have codes whose
    /// classes or parts the server does not know.
    static func decomposed(_ text: String, corrections: PostgreSQLCorrections) -> String {
      var whole = text
      for composition in corrections.compositions {
        whole = "replace(\(whole), '\(String(composition.code))', '\(composition.parts)')"
      }
      return """
        (SELECT string_agg(letter, '' ORDER BY run, class, place) FROM \
        (SELECT letter, place, class, count(*) FILTER (WHERE class = 0) OVER (ORDER BY place) AS run FROM \
        (SELECT letter, place, \(combiningClass(of: "letter")) AS class \
        FROM regexp_split_to_table(normalize(\(whole), NFD), '') WITH ORDINALITY AS letters (letter, place)) \
        AS classes) AS runs)
        """
    }

    private static func combiningClass(of letter: String) -> String {
      let byClass = Dictionary(grouping: combining, by: \.combiningClass).sorted { $0.key < $1.key }
      let all = PostgreSQLFunctions.ranges(combining.map(\.code))
      let cases = byClass.map { "WHEN \(letter) ~ '[\(PostgreSQLFunctions.ranges($1.map(\.code)))]' THEN \($0)" }
      return "CASE WHEN \(letter) !~ '[\(all)]' THEN 0 \(cases.joined(separator: " ")) ELSE 0 END"
    }
  }
#endif
