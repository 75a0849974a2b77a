package import Foundation

/// Binary property lists whose dictionaries are in the order of their keys: the same bytes for equal lists, which
/// `PropertyListSerialization` does not give.
package enum SortedPropertyList {
  /// The bytes of a property list.
  ///
  /// - Throws: the error of `PropertyListSerialization` when the dictionary is no property list.
  package static func data(_ properties: [String: Any]) throws -> Data {
    let unsorted = try PropertyListSerialization.data(
      fromPropertyList: properties,
      format: .binary,
      options: 0
    )
    guard let list = try? BinaryPropertyList(unsorted), let value = try? value(list.topObject, in: list)
    else {
      return unsorted
    }
    let sorted = BinaryPropertyListWriter.data(value)
    // What does not come through as it was stays unsorted.
    return areEqual(sorted, unsorted) ? sorted : unsorted
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

  private static func areEqual(_ one: Data, _ other: Data) -> Bool {
    let lists = [one, other].map { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
    guard let one = lists[0] as? NSDictionary, let other = lists[1] as? NSDictionary else { return false }
    return one.isEqual(other)
  }
}
