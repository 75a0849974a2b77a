/// An XML attribute of a part of a model document: how it is read and how it is written.
///
/// One list of fields is used for both reading and writing, so that they cannot differ.
struct ContentsField<Part>: Sendable {
  let name: String
  let isRequired: Bool
  /// The form that a value has to have, for messages.
  let expectation: String
  /// The values that are allowed; empty if any text is.
  var words: [String] = []
  /// Puts a text into the part; `false` when the text is not as expected.
  let read: @Sendable (inout Part, String) -> Bool
  /// The text to write, or `nil` when the attribute is to be left out.
  let write: @Sendable (Part) -> String?
}

extension ContentsField {
  /// A text that has to be there and may not be empty.
  static func name(_ name: String, path: WritableKeyPath<Part, String> & Sendable) -> Self {
    Self(name: name, isRequired: true, expectation: "a text that is not empty") { part, text in
      part[keyPath: path] = text
      return !text.isEmpty
    } write: {
      $0[keyPath: path]
    }
  }

  /// A text that may be missing.
  static func text(_ name: String, path: WritableKeyPath<Part, String?> & Sendable) -> Self {
    Self(name: name, isRequired: false, expectation: "a text") { part, text in
      part[keyPath: path] = text
      return true
    } write: {
      $0[keyPath: path]
    }
  }

  /// YES, or NO, which is the same as leaving it out; `true` and `false` are read as well.
  static func flag(_ name: String, path: WritableKeyPath<Part, Bool> & Sendable) -> Self {
    Self(name: name, isRequired: false, expectation: "YES or NO") { part, text in
      guard let value = truth(text) else { return false }
      part[keyPath: path] = value
      return true
    } write: {
      $0[keyPath: path] ? "YES" : nil
    }
  }

  /// YES or NO or nothing, which are three different things; `true` and `false` are read as well.
  static func choice(_ name: String, path: WritableKeyPath<Part, Bool?> & Sendable) -> Self {
    Self(name: name, isRequired: false, expectation: "YES or NO") { part, text in
      part[keyPath: path] = truth(text)
      return part[keyPath: path] != nil
    } write: {
      $0[keyPath: path].map { $0 ? "YES" : "NO" }
    }
  }

  /// The Boolean that a text represents, or `nil`. Xcode's editor writes YES and NO. Its templates
  /// have `usedWithCloudKit="false"`.
  private static func truth(_ text: String) -> Bool? {
    switch text {
    case "YES", "true": true
    case "NO", "false": false
    default: nil
    }
  }

  /// An optional whole number.
  static func count(_ name: String, path: WritableKeyPath<Part, Int?> & Sendable) -> Self {
    Self(name: name, isRequired: false, expectation: "a whole number") { part, text in
      part[keyPath: path] = Int(text)
      return part[keyPath: path] != nil
    } write: {
      $0[keyPath: path].map(String.init)
    }
  }

  /// A number of seconds that may be missing.
  static func interval(_ name: String, path: WritableKeyPath<Part, Double?> & Sendable) -> Self {
    Self(name: name, isRequired: false, expectation: "a number of seconds since 2001-01-01 00:00:00 UTC") {
      part,
      text in
      guard let number = Double(text), number.isFinite else { return false }
      part[keyPath: path] = number
      return true
    } write: {
      $0[keyPath: path].map { $0.rounded() == $0 && abs($0) < 1e15 ? String(Int64($0)) : "\($0)" }
    }
  }

  /// An optional value out of a few words.
  static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String,
    _ path: WritableKeyPath<Part, Word?> & Sendable
  ) -> Self {
    let words = Word.allCases.map(\.rawValue)
    let expectation = "one of: \(words.joined(separator: ", "))"
    return Self(name: name, isRequired: false, expectation: expectation, words: words) { part, text in
      part[keyPath: path] = Word(rawValue: text)
      return part[keyPath: path] != nil
    } write: {
      $0[keyPath: path]?.rawValue
    }
  }
}
