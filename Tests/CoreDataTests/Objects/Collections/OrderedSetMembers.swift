import CoreData
import Foundation

@testable import CoreData

/// Calls of the members of `NSMutableOrderedSet`, by their names in `FoundationMembers`.
///
/// A call returns the member's result. The test also compares the contents afterwards.
enum OrderedSetMembers {
  typealias Call = @Sendable (NSMutableOrderedSet, CollectionArguments<Page>) -> String

  static let calls: [String: Call] = [
    copies, reading, enumerations, comparisons, additions, replacements, removals, algebra, sorting,
  ].reduce(into: [:]) { all, part in
    all.merge(part) { _, new in new }
  }

  /// Initialisers without a set argument.
  static let withoutSet: Set = [
    "init()", "init(array:)", "init(array:copyItems:)", "init(array:range:copyItems:)", "init(arrayLiteral:)",
    "init(capacity:)", "init(coder:)", "init(object:)", "init(objects:)", "init(objects:count:)",
    "init(set:)",
    "init(set:copyItems:)",
  ]

  /// Calls that crash Foundation's own class or have a wrong result there, with the correct result.
  static let corrected: [String: Call] = [
    // Foundation's method does not terminate if two consecutive objects are not in the argument.
    "intersect(_:)": { set, given in
      set.intersectSet(given.mixedSet)
      return ""
    }
  ]

  private static var copies: [String: Call] {
    var calls: [String: Call] = [:]
    calls["copy()"] = { set, _ in copied(set.copy()) }
    calls["copy(with:)"] = { set, _ in copied(set.copy(with: nil)) }
    calls["mutableCopy()"] = { set, _ in copied(set.mutableCopy()) }
    calls["mutableCopy(with:)"] = { set, _ in copied(set.mutableCopy(with: nil)) }
    calls["init(orderedSet:)"] = { set, _ in
      copied(NSOrderedSet(orderedSet: set)) + copied(NSMutableOrderedSet(orderedSet: set))
    }
    calls["init(orderedSet:copyItems:)"] = { set, _ in
      copied(NSOrderedSet(orderedSet: set, copyItems: false))
        + copied(NSMutableOrderedSet(orderedSet: set, copyItems: false))
    }
    calls["init(orderedSet:range:copyItems:)"] = { set, given in
      copied(NSOrderedSet(orderedSet: set, range: given.range, copyItems: false))
        + copied(NSMutableOrderedSet(orderedSet: set, range: given.range, copyItems: false))
    }
    calls["supportsSecureCoding"] = { set, _ in "\(type(of: set).supportsSecureCoding)" }
    calls["encode(with:)"] = { set, _ in
      let coder = RecordingCoder()
      set.encode(with: coder)
      return coder.recorded.joined(separator: " ")
    }
    return calls
  }

  private static var reading: [String: Call] {
    var calls: [String: Call] = [:]
    calls["count"] = { set, _ in "\(set.count)" }
    calls["array"] = { set, _ in labels(set.array) }
    calls["set"] = { set, _ in sortedLabels(set.set) }
    calls["firstObject"] = { set, _ in label(set.firstObject) }
    calls["lastObject"] = { set, _ in label(set.lastObject) }
    calls["reversed"] = { set, _ in labels(set.reversed.array) }
    calls["contains(_:)"] = { set, given in "\(set.contains(given.one)) \(set.contains("text"))" }
    calls["index(of:)"] = { set, given in "\(set.index(of: given.one)) \(set.index(of: "text"))" }
    calls["object(at:)"] = { set, given in label(given.taken.map { set.object(at: $0) }) }
    calls["objects(at:)"] = { set, given in labels(set.objects(at: given.indexes)) }
    calls["subscript(_:)"] = { set, given in
      guard let taken = given.taken else { return "" }
      let found = label(set[taken])
      if let object = given.outside.first { set[taken] = object }
      return found
    }
    calls["description"] = { set, _ in "\(set)" }
    calls["description(withLocale:)"] = { set, _ in set.description(withLocale: nil) }
    calls["description(withLocale:indent:)"] = { set, _ in set.description(withLocale: nil, indent: 1) }
    calls["customMirror"] = { set, _ in labels(set.customMirror.children.map(\.value)) }
    calls["filtered(using:)"] = { set, _ in
      labels(set.filtered(using: NSPredicate(format: "number > 3")).array)
    }
    return calls
  }

  private static var enumerations: [String: Call] {
    var calls: [String: Call] = [:]
    calls["makeIterator()"] = { set, _ in
      var found: [Any] = []
      for object in set { found.append(object) }
      return labels(found) + "," + labels(Array(set)) + "," + labels(set.map { $0 })
    }
    calls["objectEnumerator()"] = { set, _ in labels(set.objectEnumerator().allObjects) }
    calls["reverseObjectEnumerator()"] = { set, _ in labels(set.reverseObjectEnumerator().allObjects) }
    calls["enumerateObjects(_:)"] = { set, _ in
      var found: [String] = []
      set.enumerateObjects { object, index, _ in found.append("\(index) \(label(object))") }
      return found.joined(separator: " ")
    }
    calls["enumerateObjects(options:using:)"] = { set, given in
      var found: [String] = []
      set.enumerateObjects(options: given.order) { object, index, _ in
        found.append("\(index) \(label(object))")
      }
      return found.joined(separator: " ")
    }
    calls["enumerateObjects(at:options:using:)"] = { set, given in
      var found: [String] = []
      set.enumerateObjects(at: given.indexes, options: given.order) { object, index, _ in
        found.append("\(index) \(label(object))")
      }
      return found.joined(separator: " ")
    }
    calls["index(ofObjectPassingTest:)"] = { set, _ in "\(set.index { object, _, _ in isOdd(object) })" }
    calls["index(_:ofObjectPassingTest:)"] = { set, given in
      "\(set.index(given.order) { object, _, _ in isOdd(object) })"
    }
    calls["index(ofObjectAt:options:passingTest:)"] = { set, given in
      "\(set.index(ofObjectAt: given.indexes, options: given.order) { object, _, _ in isOdd(object) })"
    }
    calls["indexes(ofObjectsPassingTest:)"] = { set, _ in
      labels(set.indexes { object, _, _ in isOdd(object) })
    }
    calls["indexes(options:ofObjectsPassingTest:)"] = { set, given in
      labels(set.indexes(options: given.order) { object, _, _ in isOdd(object) })
    }
    calls["indexes(ofObjectsAt:options:passingTest:)"] = { set, given in
      labels(set.indexes(ofObjectsAt: given.indexes, options: given.order) { object, _, _ in isOdd(object) })
    }
    calls["index(of:inSortedRange:options:usingComparator:)"] = { set, given in
      set.sort(comparator: byNumber)
      let range = NSRange(location: 0, length: set.count)
      return
        "\(set.index(of: given.one, inSortedRange: range, options: .insertionIndex, usingComparator: byNumber))"
    }
    return calls
  }

  private static var comparisons: [String: Call] {
    var calls: [String: Call] = [:]
    calls["isEqual(_:)"] = { set, given in
      let (same, other) = (NSOrderedSet(array: given.contents), given.mixedOrderedSet)
      return
        "\(set.isEqual(same)) \(same.isEqual(set)) \(set.isEqual(other)) \(other.isEqual(set)) \(set.isEqual(1))"
    }
    calls["isEqual(to:)"] = { set, given in
      "\(set.isEqual(to: NSOrderedSet(array: given.contents))) \(set.isEqual(to: given.mixedOrderedSet))"
    }
    calls["intersects(_:)"] = { set, given in
      "\(set.intersects(given.mixedOrderedSet)) \(given.mixedOrderedSet.intersects(set))"
    }
    calls["intersectsSet(_:)"] = { set, given in "\(set.intersectsSet(given.mixedSet))" }
    calls["func isSubset(of: NSOrderedSet) -> Bool"] = { set, given in
      "\(set.isSubset(of: given.mixedOrderedSet)) \(NSOrderedSet(array: given.inside).isSubset(of: set))"
    }
    calls["func isSubset(of: Set<AnyHashable>) -> Bool"] = { set, given in
      "\(set.isSubset(of: given.mixedSet)) \(set.isSubset(of: Set(given.contents as [AnyHashable])))"
    }
    return calls
  }

  private static var additions: [String: Call] {
    var calls: [String: Call] = [:]
    calls["add(_:)"] = { set, given in
      set.add(given.one)
      return ""
    }
    calls["add(_:count:)"] = { set, given in
      given.mixed.map { $0 as AnyObject }.withUnsafeBufferPointer { set.add($0.baseAddress, count: $0.count) }
      return ""
    }
    calls["addObjects(from:)"] = { set, given in
      set.addObjects(from: given.mixed)
      return ""
    }
    calls["func insert(Any, at: Int)"] = { set, given in
      set.insert(given.one, at: given.place)
      return ""
    }
    calls["func insert([Any], at: IndexSet)"] = { set, given in
      set.insert(given.outside, at: IndexSet(integersIn: given.place..<given.place + given.outside.count))
      return ""
    }
    return calls
  }

  private static var replacements: [String: Call] {
    var calls: [String: Call] = [:]
    calls["replaceObject(at:with:)"] = { set, given in
      guard let taken = given.taken else { return "" }
      set.replaceObject(at: taken, with: given.outside.first ?? given.contents[taken])
      return ""
    }
    calls["setObject(_:at:)"] = { set, given in
      if let object = given.outside.first { set.setObject(object, at: given.place) }
      return ""
    }
    calls["replaceObjects(at:with:)"] = { set, given in
      let indexes = IndexSet(given.indexes.prefix(given.outside.count))
      set.replaceObjects(at: indexes, with: Array(given.outside.prefix(indexes.count)))
      return ""
    }
    calls["replaceObjects(in:with:count:)"] = { set, given in
      guard given.range.length > 0, given.range.length <= given.outside.count else { return "" }
      let objects = given.outside.prefix(given.range.length).map { $0 as AnyObject }
      objects.withUnsafeBufferPointer { buffer in
        guard let address = buffer.baseAddress else { return }
        set.replaceObjects(in: given.range, with: address, count: buffer.count)
      }
      return ""
    }
    calls["exchangeObject(at:withObjectAt:)"] = { set, given in
      guard let taken = given.taken, let other = given.otherTaken else { return "" }
      set.exchangeObject(at: taken, withObjectAt: other)
      return ""
    }
    calls["moveObjects(at:to:)"] = { set, given in
      set.moveObjects(at: given.indexes, to: min(given.place, given.contents.count - given.indexes.count))
      return ""
    }
    return calls
  }

  private static var removals: [String: Call] {
    var calls: [String: Call] = [:]
    calls["remove(_:)"] = { set, given in
      set.remove(given.one)
      set.remove("text")
      return ""
    }
    calls["removeObject(at:)"] = { set, given in
      if let taken = given.taken { set.removeObject(at: taken) }
      return ""
    }
    calls["func removeObjects(in: [Any])"] = { set, given in
      set.removeObjects(in: given.mixed)
      return ""
    }
    calls["func removeObjects(in: NSRange)"] = { set, given in
      set.removeObjects(in: given.range)
      return ""
    }
    calls["removeObjects(at:)"] = { set, given in
      set.removeObjects(at: given.indexes)
      return ""
    }
    calls["removeAllObjects()"] = { set, _ in
      set.removeAllObjects()
      return ""
    }
    calls["filter(using:)"] = { set, _ in
      set.filter(using: NSPredicate(format: "number > 3"))
      return ""
    }
    return calls
  }

  private static var algebra: [String: Call] {
    var calls: [String: Call] = [:]
    calls["intersect(_:)"] = { set, given in
      set.intersect(given.mixedOrderedSet)
      return ""
    }
    calls["intersectSet(_:)"] = { set, given in
      set.intersectSet(given.mixedSet)
      return ""
    }
    calls["minus(_:)"] = { set, given in
      set.minus(given.mixedOrderedSet)
      return ""
    }
    calls["minusSet(_:)"] = { set, given in
      set.minusSet(given.mixedSet)
      return ""
    }
    calls["union(_:)"] = { set, given in
      set.union(given.mixedOrderedSet)
      return ""
    }
    calls["unionSet(_:)"] = { set, given in
      // A Swift set has no order, so at most one object is added.
      set.unionSet(Set((given.inside + given.outside.prefix(1)) as [AnyHashable]))
      return ""
    }
    return calls
  }

  private static var sorting: [String: Call] {
    var calls: [String: Call] = [:]
    calls["sort(comparator:)"] = { set, _ in
      set.sort(comparator: byNumber)
      return ""
    }
    calls["sort(options:usingComparator:)"] = { set, _ in
      set.sort(options: .stable) { byNumber($1, $0) }
      return ""
    }
    calls["sortRange(_:options:usingComparator:)"] = { set, given in
      set.sortRange(given.range, options: [], usingComparator: byNumber)
      return ""
    }
    calls["sort(using:)"] = { set, _ in
      set.sort(using: [NSSortDescriptor(key: "number", ascending: false)])
      return ""
    }
    calls["sortedArray(comparator:)"] = { set, _ in labels(set.sortedArray(comparator: byNumber)) }
    calls["sortedArray(options:usingComparator:)"] = { set, _ in
      labels(set.sortedArray(options: .stable, usingComparator: byNumber))
    }
    calls["sortedArray(using:)"] = { set, _ in
      labels(set.sortedArray(using: [NSSortDescriptor(key: "number", ascending: false)]))
    }
    return calls
  }

  private static func isOdd(_ object: Any) -> Bool { ((object as? Page)?.number ?? 0) % 2 == 1 }

  private static func byNumber(_ one: Any, _ other: Any) -> ComparisonResult {
    let (first, second) = ((one as? Page)?.number ?? 0, (other as? Page)?.number ?? 0)
    return first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
  }
}
