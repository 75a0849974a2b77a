package import Foundation

/// Binary property lists whose dictionaries are in the order of their keys: the same bytes for
/// equal lists, which `PropertyListSerialization` does not give.
///
/// It does not write the whole list by `PropertyListSerialization` either, which copies data byte
/// by byte, once for each dictionary around them: 800 KB take it 0.2 s.
package enum SortedPropertyList {
  /// The bytes of a property list.
  ///
  /// - Throws: the error of `PropertyListSerialization` when the dictionary is no property list.
  package static func data(_ properties: [String: Any]) throws -> Data {
    var outline = PropertyListOutline()
    let top = outline.item(properties)
    guard let others = try outline.writtenOthers() else {
      // What does not come through as it is stays unsorted.
      return try PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0)
    }
    return BinaryPropertyListWriter.data(top.value(others))
  }
}

/// A property list whose texts, data, dates and containers are taken as they are, and all else by
/// `PropertyListSerialization`, which knows what kind of number a number is.
private struct PropertyListOutline {
  indirect enum Item {
    case value(PropertyListValue)
    /// One of the others, by its number.
    case other(Int)
    case array([Item])
    case dictionary([(key: String, item: Item)])

    func value(_ others: [PropertyListValue]) -> PropertyListValue {
      switch self {
      case .value(let value): value
      case .other(let number): others[number]
      case .array(let items): .array(items.map { $0.value(others) })
      case .dictionary(let entries): .dictionary(entries.map { ($0.key, $0.item.value(others)) })
      }
    }
  }

  private var others: [Any] = []

  mutating func item(_ value: Any) -> Item {
    // What is an object of Foundation's is not made a value of Swift's, which would copy it.
    if type(of: value) is NSObject.Type { return other(value) }
    switch value {
    case let text as String: return .value(.string(text))
    case let data as Data: return .value(.data(data))
    case let date as Date: return .value(.date(date))
    case let elements as [Any]: return .array(elements.map { item($0) })
    case let entries as [String: Any]:
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return .dictionary(sorted.map { ($0.key, item($0.value)) })
    default: return other(value)
    }
  }

  private mutating func other(_ value: Any) -> Item {
    others.append(value)
    return .other(others.count - 1)
  }

  /// The others as `PropertyListSerialization` writes them; nil where one does not come through.
  ///
  /// - Throws: its error when one can be in no property list.
  func writtenOthers() throws -> [PropertyListValue]? {
    if others.isEmpty { return [] }
    let data = try PropertyListSerialization.data(fromPropertyList: others, format: .binary, options: 0)
    guard let list = try? BinaryPropertyList(data),
      case .array(let values)? = try? Self.value(list.topObject, in: list),
      values.count == others.count
    else { return nil }
    return values
  }

  private static func value(_ number: Int, in list: BinaryPropertyList) throws -> PropertyListValue {
    switch try list.object(number) {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return .unsigned(value)
    case .real(let value): return .real(value)
    case .date(let date): return .date(date)
    case .data(let data): return .data(data)
    case .string(let text): return .string(text)
    case .uid(let uid): return .uid(uid)
    case .array(let elements): return .array(try elements.map { try value($0, in: list) })
    case .dictionary(let keys, let values):
      let entries = try zip(keys, values).map { key, value in
        guard case .string(let name) = try list.object(key) else {
          throw BinaryPropertyList.Failure(problem: "a key is no string")
        }
        return (key: name, value: try self.value(value, in: list))
      }
      return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
  }
}
