import Foundation

/// The first and last names from which a person's name is chosen.
struct PersonNames: Sendable {
  /// A name, and how it is written in an address.
  struct Word: Hashable, Sendable {
    let text: String
    /// Of the letters a to z and digits alone.
    let latin: String

    init(_ text: String, latin: String? = nil) {
      self.text = text
      self.latin = latin ?? Self.latin(text)
    }

    /// Letters that are not a letter of the Latin alphabet with a mark.
    private static let others: [Character: String] = [
      "ß": "ss", "ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th",
    ]

    private static func latin(_ text: String) -> String {
      let spelled = text.lowercased().precomposedStringWithCanonicalMapping.map { others[$0] ?? String($0) }
      let scalars = spelled.joined().decomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      }
      return String(String.UnicodeScalarView(scalars))
    }
  }

  /// A person's name.
  struct Person {
    var first: Word
    var last: Word
    /// The full name, if it was given as a whole.
    private var given: String?
    private let isFamilyFirst: Bool

    init(first: Word, last: Word, isFamilyFirst: Bool) {
      self.first = first
      self.last = last
      self.isFamilyFirst = isFamilyFirst
    }

    /// The person of a full name, whose last word is the last name.
    init(_ fullName: String) {
      let words = fullName.split(separator: " ").map(String.init)
      first = Word(words.dropLast().joined(separator: " "))
      last = Word(words.last ?? fullName)
      given = fullName
      isFamilyFirst = false
    }

    var fullName: String {
      given ?? (isFamilyFirst ? [last, first] : [first, last]).map(\.text).joined(separator: " ")
    }
  }

  private let firsts: [Word]
  private let lasts: [Word]
  private let isFamilyFirst: Bool

  /// Names of many languages.
  static let ofManyLanguages = PersonNames(
    first: Words.firstNames.map { Word($0) },
    last: Words.lastNames.map { Word($0) },
    isFamilyFirst: false
  )

  /// Names that are separated by spaces. A name in another script is followed by `=` and its Latin spelling.
  init(first: String, last: String, isFamilyFirst: Bool = false) {
    self.init(first: Self.words(first), last: Self.words(last), isFamilyFirst: isFamilyFirst)
  }

  private init(first: [Word], last: [Word], isFamilyFirst: Bool) {
    firsts = first
    lasts = last
    self.isFamilyFirst = isFamilyFirst
  }

  private static func words(_ text: String) -> [Word] {
    text.split(separator: " ").map { part in
      let spellings = part.split(separator: "=").map(String.init)
      return Word(spellings[0], latin: spellings.count > 1 ? spellings[1] : nil)
    }
  }

  /// The number of persons.
  var size: UInt64 { UInt64(firsts.count) * UInt64(lasts.count) }

  /// The person of a number below the size.
  func person(_ number: UInt64) -> Person {
    let count = UInt64(firsts.count)
    return Person(
      first: firsts[Int(number % count)],
      last: lasts[Int(number / count) % lasts.count],
      isFamilyFirst: isFamilyFirst
    )
  }
}
