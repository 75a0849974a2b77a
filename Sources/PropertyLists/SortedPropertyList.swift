package import Foundation

/// Binary property lists whose dictionaries are sorted by their keys, so that equal lists give equal bytes.
///
/// `PropertyListSerialization` does not sort them. It also copies data byte by byte, once for each dictionary
/// around it, and takes 0.2 s for 800 KB. For that reason it does not write the whole list here either.
package enum SortedPropertyList {
  /// Returns the bytes of a property list.
  ///
  /// - Throws: the error of `PropertyListSerialization` when the dictionary is not a property list.
  package static func data(_ properties: [String: Any]) throws -> Data {
    var outline = PropertyListOutline()
    let top = outline.item(properties)
    guard let others = try outline.writtenOthers() else {
      // A value that cannot be read back keeps the list from being sorted.
      return try PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0)
    }
    return BinaryPropertyListWriter.data(top.value(others))
  }
}

/// The outline of a property list. It keeps texts, data, dates and containers as they are.
///
/// `PropertyListSerialization` converts all other values, because it knows the kind of each number.
private struct PropertyListOutline {
  indirect enum Item {
    case value(PropertyListValue)
    /// An index into the values that `PropertyListSerialization` converts.
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
    // A Foundation object is not bridged to a Swift value, because bridging would copy it.
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

  /// Returns the other values as `PropertyListSerialization` writes them, or `nil` when one of them cannot be read
  /// back.
  ///
  /// - Throws: the error of `PropertyListSerialization` when a value cannot be in a property list.
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
          throw BinaryPropertyList.Failure(problem: "a key is not a string")
        }
        return (key: name, value: try self.value(value, in: list))
      }
      return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
  }
}
