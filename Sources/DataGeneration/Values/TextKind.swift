import Foundation
import Texts

/// The subject of a text, told by the name of its attribute or by `generate.as` in its user info.
enum TextKind: String, CaseIterable, Sendable {
  case firstName, lastName, fullName, userName, email, phone, city, country, street, postalCode, url, colour,
    hexColour,
    language, currency, state, code, uuid, slug, version, file, title, sentence, paragraph, words

  /// Words in names of attributes, without case and separators; the first that fits counts.
  private static let signs: [(TextKind, [String])] = [
    (.email, ["email", "mail"]), (.firstName, ["firstname", "givenname", "forename"]),
    (.lastName, ["lastname", "surname", "familyname"]),
    (.userName, ["username", "login", "handle", "nickname"]),
    (.fullName, ["fullname", "author", "owner", "contactname"]), (.phone, ["phone", "mobile", "telephone"]),
    (.hexColour, ["hex"]), (.colour, ["color", "colour"]), (.city, ["city", "town"]), (.country, ["country"]),
    (.postalCode, ["postalcode", "postcode", "zip"]), (.street, ["street", "address"]),
    (.url, ["url", "website", "homepage", "link"]), (.language, ["language", "locale"]),
    (.currency, ["currency"]),
    (.state, ["status", "state"]), (.uuid, ["uuid", "guid", "identifier"]), (.slug, ["slug"]),
    (.code, ["code", "sku", "isbn", "plate", "reference", "serial"]),
    (.file, ["filename", "filepath", "path"]),
    (.version, ["version"]), (.sentence, ["summary", "subtitle", "caption", "headline"]),
    (.paragraph, ["content", "text", "body", "note", "description", "detail", "comment", "message", "bio"]),
    (.title, ["title", "subject", "label"]),
  ]

  private static let people: Set<String> = [
    "person", "people", "user", "author", "customer", "client", "employee", "contact", "member", "patient",
    "student",
    "teacher", "player", "artist", "owner", "friend",
  ]

  init(name: String, entity: String) {
    let folded = name.lowercased().filter { $0 != "_" && $0 != "-" }
    if folded == "id" || name.hasSuffix("ID") || name.hasSuffix("Id") || name.hasSuffix("_id") {
      self = .uuid
    } else if folded == "name" {
      self = Self.people.contains(entity.lowercased()) ? .fullName : .title
    } else if let kind = Self.signs.first(where: { $0.1.contains { folded.contains($0) } }) {
      self = kind.0
    } else {
      self = folded.hasSuffix("name") ? .title : .words
    }
  }

  /// Texts of the kind, as many as there are without repeating one where they can be counted.
  var domain: ValueDomain {
    switch self {
    case .firstName: .choice(of: Words.firstNames)
    case .lastName: .choice(of: Words.lastNames)
    case .fullName: .joined([Words.firstNames, Words.lastNames]) { $0.joined(separator: " ") }
    case .userName: .joined([Words.adjectives, Words.nouns]) { $0.joined(separator: "_") }
    case .email:
      .joined([Words.firstNames, Words.lastNames]) { $0.joined(separator: ".").lowercased() + "@example.com" }
    // Numbers of the series 555-01, which are not assigned to subscribers.
    case .phone:
      .numbered(1_000_000) { "+1 \(200 + $0 / 100 % 800) 555 01\(String(100 + $0 % 100).suffix(2))" }
    case .city: .choice(of: Words.cities)
    case .country: .choice(of: Words.countries)
    case .street:
      .joined([Words.nouns, (1...240).map(String.init)]) { "\($0[0].capitalized) Street \($0[1])" }
    case .postalCode: .numbered(90_000) { "\(10_000 + $0)" }
    case .url:
      .joined([Words.adjectives, Words.nouns]) { "https://example.com/" + $0.joined(separator: "-") }
    case .colour: .choice(of: Words.colours)
    case .hexColour: .numbered(1 << 24) { "#" + HexadecimalDigits.of($0, count: 6) }
    case .language: .choice(of: Words.languages)
    case .currency: .choice(of: Words.currencies)
    case .state: .choice(of: Words.states)
    case .code: .numbered(26 * 26 * 1_000_000) { Self.code($0) }
    case .uuid: .identifiers
    case .slug: .joined([Words.adjectives, Words.nouns]) { $0.joined(separator: "-") }
    case .version: .numbered(10_000) { "\($0 / 1000 + 1).\($0 / 50 % 20).\($0 % 50)" }
    case .file:
      .joined([Words.adjectives, Words.nouns, Words.fileEndings]) { "\($0[0])-\($0[1]).\($0[2])" }
    case .title: .joined([Words.adjectives, Words.nouns]) { "\($0[0].capitalized) \($0[1])" }
    case .words: .joined([Words.adjectives, Words.nouns]) { $0.joined(separator: " ") }
    case .sentence: .random { .text(Self.sentence(&$0)) }
    case .paragraph:
      .random { random in
        let count = 2 + random.next(below: 4)
        return .text((0..<count).map { _ in Self.sentence(&random) }.joined(separator: " "))
      }
    }
  }

  private static func code(_ number: UInt64) -> String {
    let letters = CharacterSets.uppercase
    let digits = String(1_000_000 + number / 676).suffix(6)
    return "\(letters[Int(number % 26)])\(letters[Int(number / 26 % 26)])-\(digits)"
  }

  private static func sentence(_ random: inout RandomNumbers) -> String {
    func word(_ all: [String]) -> String { all[Int(random.next(below: UInt64(all.count)))] }
    let subject = "\(word(Words.adjectives)) \(word(Words.nouns))"
    return "The \(subject) \(word(Words.verbs)) the \(word(Words.adjectives)) \(word(Words.nouns))."
  }
}

extension ValueDomain {
  static func choice(of texts: [String]) -> ValueDomain { .choice(texts.map(GeneratedValue.text)) }

  static func numbered(_ size: UInt64, _ text: @escaping @Sendable (UInt64) -> String) -> ValueDomain {
    ValueDomain(size: size) { .text(text($0)) }
  }

  /// One text for each combination of one word from each list.
  static func joined(_ lists: [[String]], _ join: @escaping @Sendable ([String]) -> String) -> ValueDomain {
    ValueDomain(size: lists.reduce(1) { $0.saturatingProduct(UInt64($1.count)) }) { number in
      var rest = number
      let words = lists.map { list in
        let word = list[Int(rest % UInt64(list.count))]
        rest /= UInt64(list.count)
        return word
      }
      return .text(join(words))
    }
  }

  /// UUIDs of version 4, of whose random bits a half is the number.
  static let identifiers = ValueDomain(size: .max) { number in
    let high = HexadecimalDigits.of(number, count: 16)
    let low = HexadecimalDigits.of(RandomNumbers.mixed(number ^ 0x5EED), count: 16)
    let parts = [
      high.prefix(8), high.dropFirst(8).prefix(4), "4" + high.dropFirst(12).prefix(3),
      "A" + high.suffix(1) + low.prefix(2), low.dropFirst(2).prefix(12),
    ]
    return .text(parts.joined(separator: "-"))
  }
}
