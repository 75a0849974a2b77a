import Foundation

/// A part of what an object prints: Foundation's property list style, in which Apple's framework
/// prints the values of objects.
///
/// ```text
/// {
///     pages =     (
///         "0x1 <x-coredata://4C…/Page/p1>"
///     );
///     title = "Bread and salt";
/// }
/// ```
enum DescriptionNode {
  /// A text that is printed unchanged: `nil`, a number, a text that ``quoted(_:)`` has made.
  case word(String)
  case nodes([DescriptionNode])
  /// Keys and values, in the order in which they are written.
  case dictionary([Entry])

  /// A key with its value.
  struct Entry {
    let key: String
    let value: DescriptionNode
  }

  /// The sizes at which descriptions are shortened.
  enum Limit {
    /// Unicode scalars of a text.
    static let scalars = 500
    /// Unicode scalars of the description of another object inside of a description.
    static let scalarsOfObjects = 4_000
    /// Elements of a collection.
    static let elements = 10
    /// Collections inside of each other.
    static let levels = 4
    /// Entities of a model, and properties of an entity.
    static let modelParts = 200
  }

  /// The first elements of a collection, with a remark on those that are left out.
  static func list<Elements: Collection>(
    _ elements: Elements,
    atMost limit: Int = Limit.elements,
    _ node: (Elements.Element) -> DescriptionNode
  ) -> DescriptionNode {
    var nodes = elements.prefix(limit).map(node)
    let rest = elements.count - nodes.count
    if rest > 0 { nodes.append(.word("\"\(remark(rest))\"")) }
    return .nodes(nodes)
  }

  /// Names or other texts as a list.
  static func list(_ texts: [String], atMost limit: Int = Limit.elements) -> DescriptionNode {
    list(texts, atMost: limit) { .word(quoted($0)) }
  }

  /// The remark that replaces omitted elements, in Apple's words.
  static func remark(_ rest: Int, of unit: String = "") -> String { "(...and \(rest) more\(unit)...)" }

  /// The text of the node. Lines after the first are indented by the given number of levels.
  func text(_ level: Int = 0) -> String {
    let (outer, inner) = (Self.indentation(level), Self.indentation(level + 1))
    switch self {
    case .word(let word): return word
    case .nodes(let nodes):
      let lines = nodes.map { "\(inner)\($0.text(level + 1))" }
      return lines.isEmpty ? "(\n\(outer))" : "(\n\(lines.joined(separator: ",\n"))\n\(outer))"
    case .dictionary(let entries):
      let lines = entries.map { entry in
        let (key, value) = (Self.quoted(entry.key), entry.value)
        return "\(inner)\(key) = \(value.isCollection ? inner : "")\(value.text(level + 1));\n"
      }
      return "{\n\(lines.joined())\(outer)}"
    }
  }

  private var isCollection: Bool { if case .word = self { false } else { true } }

  private static func indentation(_ level: Int) -> String { String(repeating: " ", count: 4 * level) }
}

extension DescriptionNode {
  /// A text as property lists have it: in quotes unless it has only letters and digits of ASCII,
  /// with escapes for quotes, backslashes and all that cannot be seen, and shortened.
  static func quoted(_ text: String, atMost limit: Int = Limit.scalars) -> String {
    let text = shortened(text, atMost: limit)
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) }
    return isPlain ? text : "\"\(escaped(text))\""
  }

  /// The beginning of a text, with a remark on how much is left out.
  static func shortened(_ text: String, atMost limit: Int = Limit.scalars) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return text }
    let rest = text.utf8.distance(from: end, to: text.utf8.endIndex)
    return String(scalars[..<end]) + remark(rest, of: " bytes")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case _ where isInvisible(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns true when a scalar shows nothing itself, and may change what is shown around it.
  /// Joiners make one sign of several.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
    default: false
    }
  }
}

extension DescriptionNode {
  /// The name of a property that a request names by its description, or by a string.
  static func propertyName(of property: Any) -> String { (property as? NSPropertyDescription)?.name ?? "\(property)" }
}

/// Makes the beginning of the description of an object.
///
/// The class is named without its module and its generic arguments, as Apple's classes are.
enum ObjectHead {
  /// `<NSFetchRequest: 0x6000012345>`.
  static func text(_ object: NSObject, as name: String? = nil) -> String {
    "<\(name ?? className(of: object)): \(address(object))>"
  }

  /// `<NSBatchDeleteRequest: 0x6000012345> (resultType: count; …)`: a head and what is to be said
  /// of the object, of which what is `nil` is left out.
  static func text(_ object: NSObject, _ facts: [(name: String, text: String?)]) -> String {
    let facts = facts.compactMap { fact in fact.text.map { "\(fact.name): \($0)" } }
    return facts.isEmpty ? text(object) : "\(text(object)) (\(facts.joined(separator: "; ")))"
  }

  static func className(of object: NSObject) -> String {
    let name = String(describing: Swift.type(of: object))
    return String(name.prefix { $0 != "<" })
  }

  static func address(_ object: NSObject) -> String {
    "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
  }
}

extension Optional<String> {
  /// The text, or what Foundation prints where there is none.
  var orNull: String { self ?? "(null)" }
}
