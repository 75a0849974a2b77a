import Foundation
import Predicates

extension DescriptionNode {
  /// Any value, as far as it can be printed without asking objects that may be anything.
  ///
  /// - Parameter asksObjects: true when objects of other classes than Foundation's values are asked
  ///   for their description. Those inside of managed objects are not: they are an application's
  ///   own, may lead back to the object, and may be in use elsewhere.
  static func value(_ value: Any?, asksObjects: Bool = true, level: Int = 0) -> DescriptionNode {
    guard let value = value.flatMap(unwrapped) else { return .word("nil") }
    if let node = plain(value) { return node }
    if let node = collection(value, asksObjects: asksObjects, level: level) { return node }
    if asksObjects { return .word(quoted(String(describing: value), atMost: Limit.scalarsOfObjects)) }
    return .word("\"(...not nil..)\"")
  }

  /// A value in the middle of a sentence: texts without quotes, and all of it shortened.
  static func words(_ value: Any?) -> String {
    guard let known = value.flatMap(unwrapped) else { return "nil" }
    if let string = known as? String { return shortened(string) }
    if let date = known as? Date { return Self.text(of: date) }
    if let data = known as? Data { return Self.text(of: data) }
    if let node = collection(known, asksObjects: true, level: 0) { return node.text() }
    return shortened(String(describing: known), atMost: Limit.scalarsOfObjects)
  }

  /// A single value of Foundation's or of the standard library.
  private static func plain(_ value: Any) -> DescriptionNode? {
    switch value {
    case is NSNull: .word("\"<null>\"")
    case let text as String: .word(quoted(text))
    case let date as Date: .word(quoted(text(of: date)))
    case let data as Data: .word(text(of: data))
    case let identifier as UUID: .word(quoted(identifier.uuidString))
    case let url as URL: .word(quoted(url.absoluteString))
    case let decimal as NSDecimalNumber: .word(quoted(decimal.stringValue))
    case let decimal as Decimal: .word(quoted(decimal.description))
    case let isTrue as Bool: .word(isTrue ? "1" : "0")
    case let number as NSNumber: .word(quoted(number.stringValue))
    default: nil
    }
  }

  private static func collection(_ value: Any, asksObjects: Bool, level: Int) -> DescriptionNode? {
    let isTooDeep = level >= Limit.levels
    func node(_ element: Any?) -> DescriptionNode { Self.value(element, asksObjects: asksObjects, level: level + 1) }
    switch value {
    case let dictionary as [AnyHashable: Any]:
      return isTooDeep ? .word("\"{...}\"") : entries(dictionary, node)
    case let list as [Any]: return isTooDeep ? .word("\"(...)\"") : Self.list(list, node)
    case let set as Set<AnyHashable>:
      return isTooDeep ? .word("\"(...)\"") : Self.list(set) { node($0.base) }
    case let set as NSOrderedSet: return isTooDeep ? .word("\"(...)\"") : Self.list(set.array, node)
    default: return nil
    }
  }

  /// A dictionary, sorted by its keys.
  static func entries(
    _ dictionary: [AnyHashable: Any],
    atMost limit: Int = Limit.elements,
    _ node: (Any?) -> DescriptionNode = { value($0) }
  ) -> DescriptionNode {
    let sorted = dictionary.map { (key: "\($0.key.base)", value: $0.value) }.sorted { $0.key < $1.key }
    var entries = sorted.prefix(limit).map { Entry(key: $0.key, value: node($0.value)) }
    let rest = sorted.count - entries.count
    if rest > 0 { entries.append(Entry(key: "...", value: .word("\"\(remark(rest))\""))) }
    return .dictionary(entries)
  }

  /// A date in UTC. Foundation on Linux stops the program for a date that is not a number.
  static func text(of date: Date) -> String {
    date.timeIntervalSinceReferenceDate.isNaN ? "<not a date>" : date.description
  }

  /// The length and the first and last bytes, as Foundation prints data on Apple's platforms.
  static func text(of data: Data) -> String {
    let (all, first, last) = (24, 16, 8)
    if data.count <= all { return "{length = \(data.count), bytes = 0x\(digits(of: data, inGroups: false))}" }
    let (head, tail) = (data.prefix(first), data.suffix(last))
    return "{length = \(data.count), bytes = 0x\(digits(of: head)) ... \(digits(of: tail)) }"
  }

  private static func digits(of data: Data, inGroups: Bool = true) -> String {
    var digits = ""
    for (index, byte) in data.enumerated() {
      if inGroups, index > 0, index.isMultiple(of: 4) { digits += " " }
      digits += byte < 16 ? "0" : ""
      digits += String(byte, radix: 16)
    }
    return digits
  }
}
