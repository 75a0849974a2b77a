package import Foundation

/// Reads property lists from untrusted files.
///
/// `PropertyListSerialization` checks the text of a list and its depth. It expands a shared container once for each
/// reference, however: sixty arrays, each of which contains the next one twice, would become 2⁶⁰ arrays.
package enum CheckedPropertyList {
  /// The reason why a list cannot be read.
  package struct Failure: Error {
    package let problem: String

    package init(problem: String) { self.problem = problem }
  }

  package static func read(_ data: Data) throws(Failure) -> Any { try read(SharedBytes(data)) }

  /// Reads a property list, in any format that Foundation reads.
  ///
  /// - Throws: ``Failure`` for data that is not a property list, and for a binary list that contains itself or
  ///   expands to far more objects than it has bytes.
  package static func read(_ bytes: SharedBytes) throws(Failure) -> Any {
    if bytes.count >= 6, bytes[0..<6].elementsEqual("bplist".utf8) { return try binary(bytes) }
    do {
      return try PropertyListSerialization.propertyList(from: bytes.data, format: nil)
    } catch {
      let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw Failure(problem: cause ?? "it is not a property list")
    }
  }

  /// Returns the values that `PropertyListSerialization` returns.
  ///
  /// `PropertyListSerialization` itself copies data byte by byte, once for each dictionary around it.
  private static func binary(_ bytes: SharedBytes) throws(Failure) -> Any {
    do throws(BinaryPropertyList.Failure) {
      let list = try BinaryPropertyList(bytes)
      var values: [Int: Any] = [:]
      var walk = ContainerWalk(byteCount: bytes.count)
      try walk.run(from: list.topObject) { number throws(BinaryPropertyList.Failure) in
        guard try list.isContainer(number) else { return [] }
        switch try list.object(number) {
        case .array(let elements): return elements
        case .dictionary(_, let values): return values
        default: return []
        }
      } leave: { number throws(BinaryPropertyList.Failure) in
        values[number] = try value(number, of: list, after: values)
      }
      return values[list.topObject] ?? [String: Any]()
    } catch {
      throw Failure(problem: error.problem)
    }
  }

  /// Returns the value of an object.
  ///
  /// - Parameter known: the values of the objects that the object contains.
  private static func value(
    _ number: Int,
    of list: BinaryPropertyList,
    after known: [Int: Any]
  ) throws(BinaryPropertyList.Failure) -> Any {
    switch try list.object(number) {
    case .boolean(let value): return value
    case .integer(let value): return NSNumber(value: value)
    case .unsigned(let value): return NSNumber(value: value)
    case .real(let value): return NSNumber(value: value)
    case .date(let date): return date
    case .data(let data): return data
    case .string(let text): return text
    case .array(let elements): return elements.compactMap { known[$0] }
    case .dictionary(let keys, let values):
      var entries: [AnyHashable: Any] = [:]
      for (key, value) in zip(keys, values) {
        guard case .string(let name) = try list.object(key) else {
          throw BinaryPropertyList.Failure(problem: "the key of a dictionary is not text")
        }
        if entries[name] == nil { entries[name] = known[value] }
      }
      return entries
    case .uid: throw BinaryPropertyList.Failure(problem: "it holds a reference, which archives alone have")
    case .null: throw BinaryPropertyList.Failure(problem: "it holds an object of a kind that there is not")
    }
  }
}
