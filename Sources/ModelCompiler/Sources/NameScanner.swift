/// Scans a source file for names without parsing it.
///
/// Comments and strings are scanned like code. A match in them means only that a file is parsed for nothing,
/// which costs little. Most files need no parsing at all.
struct NameScanner {
  /// The words after `class`, `struct` and similar keywords.
  private(set) var names: Set<String> = []
  /// The words after `extension`; both words of `A.B`.
  private(set) var extendedNames: Set<String> = []
  /// The classes, with the first word after the colon, which names the superclass if there is one. Of `A.B`
  /// it is the last word.
  private(set) var superclasses: [String: String] = [:]
  /// The number of times that `@NSManaged` is in the file.
  private(set) var managedCount = 0
  /// The names of this package's classes in the file that Foundation declares as well.
  private(set) var ambiguousNames: Set<String> = []
  /// True when the word `Identifiable` is in the file.
  private(set) var mentionsIdentifiable = false
  /// True when `@objc` or `@objcMembers` is in the file.
  private(set) var mentionsObjectiveC = false
  /// The access levels before `import`, by module. An import without an access level has the empty text.
  private(set) var importWords: [String: Set<String>] = [:]

  private enum Expectation {
    case nothing, name, className, extendedName
    case superclass(of: String)
    case module(String)
  }

  init(_ source: [UInt8]) {
    source.withUnsafeBufferPointer { scan($0) }
  }

  private mutating func scan(_ source: UnsafeBufferPointer<UInt8>) {
    var position = 0
    var previous = 0..<0
    var expectation = Expectation.nothing
    while position < source.count {
      guard Self.isWordCharacter(source[position]) else {
        position += 1
        continue
      }
      let start = position
      repeat { position += 1 } while position < source.count && Self.isWordCharacter(source[position])
      let word = UnsafeBufferPointer(rebasing: source[start..<position])
      switch expectation {
      case .name:
        names.insert(String(decoding: word, as: UTF8.self))
        expectation = .nothing
      case .className:
        let name = String(decoding: word, as: UTF8.self)
        names.insert(name)
        expectation = Self.isColonNext(source, position: position) ? .superclass(of: name) : .nothing
      case .superclass(let name):
        superclasses[name] = String(decoding: word, as: UTF8.self)
        if !Self.isNext(".", source: source, position: position) { expectation = .nothing }
      case .extendedName:
        extendedNames.insert(String(decoding: word, as: UTF8.self))
        if !Self.isNext(".", source: source, position: position) { expectation = .nothing }
      case .module(let access):
        importWords[String(decoding: word, as: UTF8.self), default: []].insert(access)
        expectation = .nothing
      case .nothing:
        expectation = interpret(word, isAttribute: start > 0 && source[start - 1] == UInt8(ascii: "@")) {
          let areNeighbours = source[previous.upperBound..<start].allSatisfy(Self.isBlank)
          return areNeighbours ? Self.access(UnsafeBufferPointer(rebasing: source[previous])) : ""
        }
      }
      previous = start..<position
    }
  }

  private mutating func interpret(
    _ word: UnsafeBufferPointer<UInt8>,
    isAttribute: Bool,
    _ access: () -> String
  ) -> Expectation {
    switch word.count {
    case 4 where Self.equal(word, text: "enum"), 5 where Self.equal(word, text: "actor"),
      8 where Self.equal(word, text: "protocol"):
      return .name
    case 5 where Self.equal(word, text: "class"): return .className
    case 9 where Self.equal(word, text: "extension"): return .extendedName
    case 6 where Self.equal(word, text: "struct"): return .name
    case 6 where Self.equal(word, text: "import"): return .module(access())
    case 9 where Self.equal(word, text: "typealias"): return .name
    case 9 where isAttribute && Self.equal(word, text: "NSManaged"): managedCount += 1
    case 4 where isAttribute && Self.equal(word, text: "objc"),
      11 where isAttribute && Self.equal(word, text: "objcMembers"):
      mentionsObjectiveC = true
    case 12 where Self.equal(word, text: "Identifiable"): mentionsIdentifiable = true
    case 12 where Self.equal(word, text: "NSExpression"): ambiguousNames.insert("NSExpression")
    case 19 where Self.equal(word, text: "NSCompoundPredicate"): ambiguousNames.insert("NSCompoundPredicate")
    case 21 where Self.equal(word, text: "NSComparisonPredicate"): ambiguousNames.insert("NSComparisonPredicate")
    default: break
    }
    return .nothing
  }

  private static func access(_ word: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: word, as: UTF8.self)
    return AccessLevel(word: text) == nil ? "" : text
  }

  private static func equal(_ word: UnsafeBufferPointer<UInt8>, text: StaticString) -> Bool {
    for index in 0..<word.count where word[index] != text.utf8Start[index] { return false }
    return true
  }

  private static func isNext(_ character: Unicode.Scalar, source: UnsafeBufferPointer<UInt8>, position: Int) -> Bool {
    position < source.count && source[position] == UInt8(ascii: character)
  }

  /// Returns true when the next character that is not a blank is a colon.
  private static func isColonNext(_ source: UnsafeBufferPointer<UInt8>, position: Int) -> Bool {
    source[position...].first { !isBlank($0) } == UInt8(ascii: ":")
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
      || byte == UInt8(ascii: "\r")
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    if byte >= 0x80 || byte == UInt8(ascii: "_") { return true }
    if byte >= UInt8(ascii: "a") { return byte <= UInt8(ascii: "z") }
    if byte >= UInt8(ascii: "A") { return byte <= UInt8(ascii: "Z") }
    return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
