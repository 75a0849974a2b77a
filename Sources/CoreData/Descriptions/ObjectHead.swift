import Foundation

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
