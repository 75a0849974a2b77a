import Foundation
import PropertyLists
import Texts

/// The objects of a binary property list, each of which is read once: which are in which, and how large they are.
struct BinaryPropertyListShape {
  /// The size of an object with all objects within it, each counted every time it is referred to.
  private struct Extent {
    var values = 1
    var bytes = 0
    var height = 0
  }

  private let list: BinaryPropertyList
  private let mostValues: Int
  private let mostBytes: Int
  private var extents: [Int: Extent] = [:]

  init(_ data: Data, mostValues: Int) throws(PropertyListShape.Failure) {
    list = try Self.checked { () throws(BinaryPropertyList.Failure) in try BinaryPropertyList(data) }
    self.mostValues = mostValues
    // Objects that are referred to several times may expand to at most this multiple of the file's size.
    mostBytes = data.count.multipliedReportingOverflow(by: 10).partialValue + 1000
  }

  mutating func check() throws(PropertyListShape.Failure) { _ = try extent(of: list.topObject, depth: 0) }

  private static func checked<Value>(
    _ read: () throws(BinaryPropertyList.Failure) -> Value
  ) throws(PropertyListShape.Failure) -> Value {
    do {
      return try read()
    } catch {
      throw .init(problem: "the binary property list is broken, or breaks off")
    }
  }

  private func object(_ number: Int) throws(PropertyListShape.Failure) -> BinaryPropertyList.Object {
    try Self.checked { () throws(BinaryPropertyList.Failure) in try list.object(number) }
  }

  /// Each object is visited once, so that the time is linear in the size of the file, however large
  /// the expanded list is.
  private mutating func extent(of number: Int, depth: Int) throws(PropertyListShape.Failure) -> Extent {
    guard depth <= PropertyListShape.deepest else { throw PropertyListShape.tooDeep }
    if let known = extents[number] {
      guard depth + known.height <= PropertyListShape.deepest else { throw PropertyListShape.tooDeep }
      return known
    }
    var extent = Extent()
    switch try object(number) {
    case .data(let data): extent.bytes = data.count
    case .string(let text): extent.bytes = text.utf8.count
    case .array(let elements): try add(elements, to: &extent, depth: depth)
    case .dictionary(let keys, let values):
      try add(keys + values, to: &extent, depth: depth)
      try checkKeys(keys, of: number)
    default: break
    }
    guard extent.bytes <= mostBytes else { throw PropertyListShape.tooMany(mostValues) }
    extents[number] = extent
    return extent
  }

  private mutating func add(_ objects: [Int], to extent: inout Extent, depth: Int) throws(PropertyListShape.Failure) {
    for object in objects {
      let inner = try self.extent(of: object, depth: depth + 1)
      // Neither sum can overflow, because each part is within its limit.
      extent.values += inner.values
      extent.bytes += inner.bytes
      extent.height = max(extent.height, inner.height + 1)
      guard extent.values <= mostValues, extent.bytes <= mostBytes else { throw PropertyListShape.tooMany(mostValues) }
    }
  }

  /// Checks that a dictionary does not have a key twice. Their bytes have been counted.
  private func checkKeys(_ keys: [Int], of dictionary: Int) throws(PropertyListShape.Failure) {
    var indices: [String: Int] = [:]
    for (index, number) in keys.enumerated() {
      guard case .string(let key) = try object(number), let first = indices.updateValue(index, forKey: key)
      else { continue }
      let places = try Self.checked { () throws(BinaryPropertyList.Failure) in
        (try list.offset(ofElement: first, in: dictionary), try list.offset(ofElement: index, in: dictionary))
      }
      throw PropertyListShape.Failure(
        problem:
          "the key \"\(key.abbreviated)\" stands twice in one dictionary, at the bytes \(places.0) and \(places.1)",
        remedy: "remove one of them"
      )
    }
  }
}
