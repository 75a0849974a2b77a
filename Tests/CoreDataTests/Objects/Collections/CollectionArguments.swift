import CoreData
import Foundation
import TestSupport

@testable import CoreData

/// The arguments for a member of a collection. They are chosen once, and passed both to the collection under
/// test and to the plain one.
struct CollectionArguments<Object: NSManagedObject> {
  /// The objects in the collection.
  let contents: [Object]
  /// Some of the contents, in any order.
  let inside: [Object]
  /// Some objects that are not in the collection, in any order.
  let outside: [Object]
  /// Some of all objects, in any order.
  let mixed: [Object]
  /// One of all objects.
  let one: Object
  /// An index at which an object can be inserted.
  let place: Int
  /// The index of an object; `nil` if the collection is empty.
  let taken: Int?
  let otherTaken: Int?
  /// The indices of some objects.
  let indexes: IndexSet
  /// The indices of some consecutive objects.
  let range: NSRange
  let order: NSEnumerationOptions

  init(_ contents: [Object], of all: [Object], _ random: inout SplitMix) {
    func chosen(_ objects: [Object]) -> [Object] {
      Array(objects.shuffled(using: &random).prefix(Int.random(in: 0...objects.count, using: &random)))
    }
    self.contents = contents
    inside = chosen(contents)
    let held = Set(contents.map(ObjectIdentifier.init))
    outside = chosen(all.filter { !held.contains(ObjectIdentifier($0)) })
    mixed = chosen(all)
    one = all[Int.random(in: all.indices, using: &random)]
    place = Int.random(in: 0...contents.count, using: &random)
    taken = contents.indices.randomElement(using: &random)
    otherTaken = contents.indices.randomElement(using: &random)
    indexes = IndexSet(contents.indices.filter { _ in Bool.random(using: &random) })
    let start = Int.random(in: 0...contents.count, using: &random)
    range = NSRange(location: start, length: Int.random(in: 0...(contents.count - start), using: &random))
    order = Bool.random(using: &random) ? .reverse : []
  }

  var mixedSet: Set<AnyHashable> { Set(mixed as [AnyHashable]) }
  var mixedOrderedSet: NSOrderedSet { NSOrderedSet(array: mixed) }
}

/// Records the values that are encoded with a key.
final class RecordingCoder: NSCoder {
  private(set) var recorded: [String] = []

  override var allowsKeyedCoding: Bool { true }
  override func encode(_ object: Any?, forKey key: String) { recorded.append("\(key) \(label(object))") }
}

/// The name of an object, for comparisons.
func label(_ object: Any?) -> String {
  switch object {
  case nil: "nil"
  case let page as Page: "\(page.number)"
  case let tag as Tag: tag.name ?? "nil"
  case let number as NSNumber: "\(number.doubleValue)"
  case let object?: "\(object)"
  }
}

/// The names of objects, in order.
func labels(_ objects: some Sequence) -> String { objects.map { label($0) }.joined(separator: " ") }

/// The names of objects without an order, sorted.
func sortedLabels(_ objects: some Sequence) -> String {
  objects.map { label($0) }.sorted().joined(separator: " ")
}

/// The class of a copy and the names of its objects.
func copied(_ copy: Any) -> String {
  switch copy {
  case let set as NSOrderedSet: "\(type(of: copy)) \(labels(set.array))"
  case let set as NSSet: "\(type(of: copy)) \(sortedLabels(set.allObjects))"
  case let dictionary as NSDictionary: "\(type(of: copy)) \(entries(dictionary))"
  default: "\(type(of: copy))"
  }
}

/// The keys and values of a dictionary, sorted.
func entries(_ dictionary: NSDictionary) -> String {
  dictionary.allKeys.map { "\(label($0))=\(label(dictionary.object(forKey: $0)))" }.sorted().joined(
    separator: " "
  )
}

/// The lines of a description whose elements have no order, sorted.
func sortedLines(_ description: String) -> String {
  description.split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }.sorted()
    .joined(separator: "\n")
}
