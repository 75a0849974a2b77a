package import Foundation

/// Property lists from files that nobody vouches for.
///
/// `PropertyListSerialization` checks a list's text and how deep it is, and follows containers that
/// are shared as often as they are named: sixty arrays, each of which holds the next one twice,
/// would become 2⁶⁰ arrays.
package enum CheckedPropertyList {
  /// The reason that a list cannot be read.
  package struct Failure: Error {
    package let problem: String

    package init(problem: String) { self.problem = problem }
  }

  /// The property list in some data, in any format that Foundation reads.
  ///
  /// - Throws: ``Failure`` for data that is no property list, and for a binary list that holds
  ///   itself or expands to very much more than it has bytes.
  package static func read(_ data: Data) throws(Failure) -> Any {
    if data.starts(with: Data("bplist".utf8)) { return try binary(data) }
    do {
      return try PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw Failure(problem: cause ?? "it is no property list")
    }
  }

  /// The values that `PropertyListSerialization` gives, which copies data byte by byte, once for
  /// each dictionary around them.
  private static func binary(_ data: Data) throws(Failure) -> Any {
    do throws(BinaryPropertyList.Failure) {
      let list = try BinaryPropertyList(data)
      var values: [Int: Any] = [:]
      var walk = ContainerWalk(byteCount: data.count)
      try walk.run(from: list.topObject) { number throws(BinaryPropertyList.Failure) in
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

  /// - Parameter known: the values of the objects that a container holds.
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
          throw BinaryPropertyList.Failure(problem: "the key of a dictionary is no text")
        }
        if entries[name] == nil { entries[name] = known[value] }
      }
      return entries
    case .uid:
      throw BinaryPropertyList.Failure(problem: "it holds a reference, which archives alone have")
    case .null:
      throw BinaryPropertyList.Failure(problem: "it holds an object of a kind that there is not")
    }
  }
}
