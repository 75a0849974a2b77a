package import Foundation

/// Property lists from files that nobody vouches for.
///
/// `PropertyListSerialization` checks a list's text and how deep it is, and follows containers that are shared as often
/// as they are named: sixty arrays, each of which holds the next one twice, would become 2⁶⁰ arrays.
package enum CheckedPropertyList {
  /// Why a list cannot be read.
  package struct Failure: Error {
    package let problem: String

    package init(problem: String) { self.problem = problem }
  }

  /// The property list in some data, in any format that Foundation reads.
  ///
  /// - Throws: ``Failure`` for data that is no property list, and for a binary list that holds itself or expands to very
  ///   much more than it has bytes.
  package static func read(_ data: Data) throws(Failure) -> Any {
    if data.starts(with: Data("bplist".utf8)) { try check(data) }
    do {
      return try PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      let cause = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw Failure(problem: cause ?? "it is no property list")
    }
  }

  private static func check(_ data: Data) throws(Failure) {
    do throws(BinaryPropertyList.Failure) {
      let list = try BinaryPropertyList(data)
      var walk = ContainerWalk(byteCount: data.count)
      try walk.run(from: list.topObject) { number throws(BinaryPropertyList.Failure) in
        switch try list.object(number) {
        case .array(let elements): return elements
        case .dictionary(let keys, let values):
          for key in keys {
            guard case .string = try list.object(key) else {
              throw BinaryPropertyList.Failure(problem: "the key of a dictionary is no text")
            }
          }
          return values
        case .uid:
          throw BinaryPropertyList.Failure(problem: "it holds a reference, which archives alone have")
        default: return []
        }
      }
    } catch {
      throw Failure(problem: error.problem)
    }
  }
}
