import Foundation
import Predicates
import TestSupport
import Testing

@Suite("Texts are compared by one set of rules, in memory and in SQL")
struct TextMatchingTests {
  private typealias Case = (String, String, TextOptions, Bool)

  private static let c = TextOptions.caseInsensitive
  private static let d = TextOptions.diacriticInsensitive
  private static let cd: TextOptions = [.caseInsensitive, .diacriticInsensitive]

  private func check(_ operation: TextMatcher.Operation, _ cases: [Case], line: Int = #line) throws {
    for (text, pattern, options, expected) in cases {
      let matcher = try TextMatcher(operation, pattern: pattern, options: options)
      #expect(try matcher.matches(text) == expected, "\(text) \(operation) \(pattern) [\(options.rawValue)]")
      let isFound = try Array(text.utf8).withUnsafeBufferPointer { try matcher.matches(utf8: $0) }
      #expect(isFound == expected, "\(text) \(operation) \(pattern) as bytes")
    }
  }

  @Test("without options, texts are equal if their code points are")
  func exactEquality() throws {
    try check(
      .equal,
      [
        ("a", "a", [], true), ("a", "A", [], false), ("", "", [], true), ("a", "", [], false),
        ("ab", "a", [], false),
        ("\u{e9}", "e\u{301}", [], false), ("\u{e9}", "\u{e9}", [], true), ("a\u{0}b", "a\u{0}b", [], true),
      ]
    )
  }

  @Test("without case, text equality follows all of Unicode")
  func caseInsensitiveEquality() throws {
    try check(
      .equal,
      [
        ("Straße", "STRASSE", Self.c, true), ("ẞ", "ss", Self.c, true), ("ΌΣΟΣ", "όσος", Self.c, true),
        ("Σ", "ς", Self.c, true), ("ÀÉ", "àé", Self.c, true), ("\u{e9}", "E\u{301}", Self.c, true),
        ("é", "e", Self.c, false), ("ı", "i", Self.c, false), ("K", "k", Self.c, true),
        ("ﬁ", "FI", Self.c, true),
        ("Дом", "дОМ", Self.c, true), ("Ա", "ա", Self.c, true), ("𐐀", "𐐨", Self.c, true),
        ("Ａ", "ａ", Self.c, true),
        ("漢字", "漢字", Self.c, true), ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", Self.c, true),
        ("a", "Á", Self.c, false), ("ABC", "abd", Self.c, false),
      ]
    )
  }

  @Test("without marks, text equality follows all of Unicode")
  func diacriticInsensitiveEquality() throws {
    try check(
      .equal,
      [
        ("é", "e", Self.d, true), ("é", "E", Self.d, false), ("e\u{301}\u{327}", "e", Self.d, true),
        ("Ångström", "Angstrom", Self.d, true), ("ø", "o", Self.d, false), ("ł", "l", Self.d, false),
        ("Việt Nam", "Viet Nam", Self.d, true), ("й", "и", Self.d, true), ("ﬁ", "fi", Self.d, false),
        ("ÉCOLE", "école", Self.cd, true), ("Crème Brûlée", "creme brulee", Self.cd, true),
        ("\u{1ec7}", "e", Self.cd, true), ("ᾳ", "α", Self.cd, true), ("\u{301}", "", Self.cd, true),
      ]
    )
  }

  @Test("marks in another order are the same text when a letter is folded")
  func canonicalOrder() throws {
    try check(
      .equal,
      [
        ("q\u{307}\u{323}", "q\u{323}\u{307}", Self.c, true),
        ("q\u{307}\u{323}", "q\u{323}\u{307}", [], false),
        ("\u{1e69}", "s\u{307}\u{323}", Self.c, true), ("a\u{315}\u{300}", "\u{e0}\u{315}", Self.c, true),
      ]
    )
  }

  @Test("BEGINSWITH, ENDSWITH and CONTAINS find parts")
  func parts() throws {
    try check(
      .beginsWith,
      [
        ("abc", "ab", [], true), ("abc", "", [], true), ("", "a", [], false), ("ABC", "ab", [], false),
        ("ABC", "ab", Self.c, true), ("Ärger", "ar", Self.cd, true), ("Ärger", "Ä", [], true),
        ("éa", "e", Self.c, false),
        ("éa", "É", Self.c, true), ("ßa", "s", Self.c, true),
      ]
    )
    try check(
      .endsWith,
      [
        ("abc", "bc", [], true), ("abc", "", [], true), ("c", "bc", [], false), ("ABC", "bc", Self.c, true),
        ("café", "FE", Self.cd, true), ("café", "fe", Self.c, false), ("café", "FÉ", Self.c, true),
      ]
    )
    try check(
      .contains,
      [
        ("abc", "b", [], true), ("abc", "", [], true), ("", "", [], true), ("abc", "d", [], false),
        ("aab", "ab", [], true), ("aaab", "aab", Self.c, true), ("Crème", "REM", Self.cd, true),
        ("Crème", "rem", Self.c, false), ("ém em", "em", Self.c, true), ("ababac", "abac", [], true),
        ("aXbXaXc", "axaxc", Self.c, false), ("aXbXaXc", "xaxc", Self.c, true),
        ("a\u{0}b", "\u{0}", [], true),
      ]
    )
  }

  @Test("LIKE knows ?, * and the backslash")
  func like() throws {
    try check(
      .like,
      [
        ("abc", "abc", [], true), ("abc", "a?c", [], true), ("abc", "a*", [], true), ("abc", "*c", [], true),
        ("abc", "*b*", [], true), ("abc", "?", [], false), ("abc", "???", [], true),
        ("abc", "????", [], false),
        ("", "*", [], true), ("", "?", [], false), ("", "", [], true), ("a", "", [], false),
        ("abc", "a*b*c*", [], true),
        ("abcbcd", "a*bcd", [], true), ("a*c", #"a\*c"#, [], true), ("abc", #"a\*c"#, [], false),
        ("a?", #"a\?"#, [], true),
        (#"a\"#, #"a\\"#, [], true), (#"a\"#, #"a\"#, [], true), ("ABC", "a?c", [], false),
        ("ABC", "a?c", Self.c, true),
        ("café", "caf?", [], true), ("cafe\u{301}", "caf?", [], true), ("café", "caf?", Self.c, true),
        ("CAFÉ", "caf?", Self.cd, true), ("Straße", "stra?e", Self.c, true),
        ("Straße", "strasse", Self.c, true),
        ("日本語", "?本?", [], true), ("日本語", "??", [], false), ("👨‍👩‍👧x", "*x", [], true), ("a\nb", "a?b", [], true),
        ("a.c", "a.c", [], true), ("abc", "a.c", [], false), ("a%c", "a%c", [], true),
        ("[a]", "[a]", [], true),
        ("é", "e*", Self.cd, true), ("aaa", "*a*a*a*a*", [], false), ("ab", "**?**b", [], true),
      ]
    )
  }

  @Test("LIKE takes no more than the product of both lengths")
  func likeIsNotExponential() throws {
    let matcher = try TextMatcher(.like, pattern: String(repeating: "*a", count: 50) + "b")
    #expect(try !matcher.matches(String(repeating: "a", count: 2_000)))
  }

  @Test("MATCHES requires a match of the whole text")
  func regularExpressions() throws {
    try check(
      .matches,
      [
        ("abc", "a.c", [], true), ("abcd", "a.c", [], false), ("xabc", "a.c", [], false),
        ("ab", "a|ab", [], true),
        ("ABC", "a.c", [], false), ("ABC", "a.c", Self.c, true), ("café", "cafe", Self.d, true),
        ("CAFÉ", "caf[e]", Self.cd, true), ("123", #"\d+"#, [], true), ("😀", ".", [], true),
        ("", "", [], true),
        ("a", "(?x) a # comment", [], true), ("a)", #"\Qa)"#, [], true), ("a\nb", "a.b", [], false),
        ("a\n", "a", [], false), ("Ünï", #"\p{L}+"#, [], true), ("abab", #"(ab)\1"#, [], true),
      ]
    )
  }

  @Test(
    "an invalid regular expression is an error",
    arguments: ["[", "(", "a{2,1}", "*", #"\"#, "(?<n>a)(?<n>b)"]
  )
  func wrongRegularExpressions(pattern: String) throws {
    let error = #expect(throws: PredicateEvaluationError.self) { try TextMatcher(.matches, pattern: pattern) }
    #expect(error?.message == "\"\(pattern)\" is not a regular expression")
  }

  /// A text of 300 KB, for which each pattern that repeats a group needs more memory than the engine has.
  private static let long = String(repeating: "line of a note\n", count: 20_000) + "word"

  @Test("a regular expression that exceeds the engine's limits is an error instead of a mismatch")
  func engineThatGivesUp() throws {
    let pattern = "(.|\\n)*word(.|\\n)*"
    let matcher = try TextMatcher(.matches, pattern: pattern)
    let error = #expect(throws: PredicateEvaluationError.self) { try matcher.matches(Self.long) }
    #expect(error?.message.hasPrefix(PredicateEvaluationError.givenUp) == true)
    #expect(error?.message.contains("300004 characters") == true)
    #expect(try TextMatcher(.matches, pattern: "[\\s\\S]*word").matches(Self.long))
    for format in ["SELF MATCHES %@", "NOT SELF MATCHES %@"] {
      let predicate = NSPredicate(format: format, pattern)
      let asked = #expect(throws: PredicateEvaluationError.self) {
        try PredicateEvaluator(predicate)(Self.long)
      }
      #expect(asked?.expression.hasPrefix("SELF MATCHES") == true)
      #expect(!predicate.evaluate(with: Self.long))
    }
  }

  /// All of the alphabets, a part of the large scripts, and the codes beyond 16 bits that have case or are composed.
  private static let codes: [ClosedRange<UInt32>] = [
    0...0x2FFF, 0x3000...0x30FF, 0xAC00...0xAC40, 0xD780...0xD7FF, 0xF900...0xFFFF, 0x10400...0x1044F,
    0x1D150...0x1D1C0, 0x1E900...0x1E943, 0x2F800...0x2F820,
  ]

  @Test("folding is idempotent and ignores how text is spelled, for every code")
  func everyCode() {
    for value in Self.codes.joined() {
      guard let scalar = UnicodeScalar(value) else { continue }
      let text = String(scalar)
      for options in [Self.c, Self.d, Self.cd] {
        let folded = options.folded(text)
        #expect(TextOrder.areIdentical(options.folded(folded), second: folded), "\(value)")
        let decomposed = options.folded(text.decomposedStringWithCanonicalMapping)
        #expect(TextOrder.areIdentical(decomposed, second: folded), "\(value)")
      }
      if value != 0x131 {
        let upper = Self.c.folded(text.uppercased())
        #expect(TextOrder.areIdentical(Self.c.folded(text), second: upper), "\(value)")
      }
    }
  }

  @Test("the quick way for ASCII agrees with the general one")
  func asciiAgrees() throws {
    var generator = SplitMix(seed: 9)
    let alphabet = Array("abAB*?é")
    for _ in 0..<5_000 {
      func text() -> String {
        String(
          (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? "a"
          }
        )
      }
      let (pattern, text) = (text(), text())
      for operation in [TextMatcher.Operation.equal, .beginsWith, .endsWith, .contains, .like] {
        for options in [[], Self.c, Self.cd] {
          let matcher = try TextMatcher(operation, pattern: pattern, options: options)
          // A letter beyond ASCII at the same position in both texts rules out the fast path for ASCII.
          let general: Bool
          switch operation {
          case .beginsWith, .equal, .like:
            general = try TextMatcher(operation, pattern: "ж" + pattern, options: options).matches("ж" + text)
          case .endsWith:
            general = try TextMatcher(operation, pattern: pattern + "ж", options: options).matches(text + "ж")
          default:
            general = try matcher.matches("ж" + text)
          }
          #expect(try matcher.matches(text) == general, "\(text) \(operation) \(pattern)")
        }
      }
    }
  }

  @Test("text orders by codes, folded codes or locale")
  func order() {
    #expect(TextOrder.codes.compare("a", second: "B") == .orderedDescending)
    #expect(TextOrder.codes.compare("a", second: "ab") == .orderedAscending)
    #expect(TextOrder.codes.compare("", second: "") == .orderedSame)
    let (upper, lower) = (Array("ÉA".utf8), Array("éb".utf8))
    upper.withUnsafeBufferPointer { a in
      lower.withUnsafeBufferPointer { b in
        #expect(TextOrder.codes.compare(utf8: a, utf8: b) == .orderedAscending)
        #expect(TextOrder.folded(.caseInsensitive).compare(utf8: b, utf8: a) == .orderedDescending)
      }
    }
    #expect(TextOrder.codes.compare("\u{ffff}", second: "\u{10000}") == .orderedAscending)
    #expect(TextOrder.folded(.caseInsensitive).compare("a", second: "B") == .orderedAscending)
    #expect(TextOrder.folded(Self.cd).compare("É", second: "e") == .orderedSame)
    #expect(TextOrder.locale().compare("é", second: "f") == .orderedAscending)
    #expect(
      TextOrder.locale(.caseInsensitive, numeric: true).compare("File10", second: "file9")
        == .orderedDescending
    )
  }
}
