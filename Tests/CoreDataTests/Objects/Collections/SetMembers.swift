import CoreData
import Foundation

@testable import CoreData

/// Calls of the members of `NSMutableSet`, by their names in `FoundationMembers`.
///
/// A call returns the member's result. The test also compares the contents afterwards.
enum SetMembers {
  typealias Call = @Sendable (NSMutableSet, CollectionArguments<Tag>) -> String

  static let calls: [String: Call] = [copies, reading, comparisons, changes].reduce(into: [:]) { all, part in
    all.merge(part) { _, new in new }
  }

  /// Initialisers without an argument of Foundation's set type.
  static let withoutSet: Set = [
    "init()", "init(array:)", "init(capacity:)", "init(coder:)", "init(object:)", "init(objects:)",
    "init(objects:count:)", "init(set: Set<AnyHashable>)", "init(set:copyItems:)",
  ]

  /// Members that read the storage of `NSSet` and cannot be overridden: see Documentation/Deviations.md.
  static let impossible: Set = ["customMirror"]

  private static var copies: [String: Call] {
    var calls: [String: Call] = [:]
    calls["copy()"] = { set, _ in copied(set.copy()) }
    calls["copy(with:)"] = { set, _ in copied(set.copy(with: nil)) }
    calls["mutableCopy()"] = { set, _ in copied(set.mutableCopy()) }
    calls["mutableCopy(with:)"] = { set, _ in copied(set.mutableCopy(with: nil)) }
    calls["init(set: NSSet)"] = { set, _ in copied(NSSet(set: set as NSSet)) }
    calls["supportsSecureCoding"] = { set, _ in "\(type(of: set).supportsSecureCoding)" }
    calls["encode(with:)"] = { set, _ in
      let coder = RecordingCoder()
      set.encode(with: coder)
      return coder.recorded.sorted().joined(separator: " ")
    }
    return calls
  }

  private static var reading: [String: Call] {
    var calls: [String: Call] = [:]
    calls["count"] = { set, _ in "\(set.count)" }
    calls["hash"] = { set, _ in "\(set.hash)" }
    calls["allObjects"] = { set, _ in sortedLabels(set.allObjects) }
    calls["anyObject()"] = { set, given in
      let object = set.anyObject() as? Tag
      return "\(object.map { given.contents.contains($0) } ?? given.contents.isEmpty)"
    }
    calls["contains(_:)"] = { set, given in "\(set.contains(given.one)) \(set.contains("text"))" }
    calls["member(_:)"] = { set, given in "\(label(set.member(given.one))) \(label(set.member("text")))" }
    calls["description"] = { set, _ in sortedLines("\(set)") }
    calls["description(withLocale:)"] = { set, _ in sortedLines(set.description(withLocale: nil)) }
    calls["filtered(using:)"] = { set, _ in
      sortedLabels(set.filtered(using: NSPredicate(format: "name > 'c'")))
    }
    calls["makeIterator()"] = { set, _ in
      var found: [Any] = []
      for object in set { found.append(object) }
      return sortedLabels(found) + "," + sortedLabels(Array(set))
    }
    calls["objectEnumerator()"] = { set, _ in sortedLabels(set.objectEnumerator().allObjects) }
    calls["enumerateObjects(_:)"] = { set, _ in
      var found: [Any] = []
      set.enumerateObjects { object, _ in found.append(object) }
      return sortedLabels(found)
    }
    calls["enumerateObjects(options:using:)"] = { set, given in
      var found: [Any] = []
      set.enumerateObjects(options: given.order) { object, _ in found.append(object) }
      return sortedLabels(found)
    }
    calls["objects(passingTest:)"] = { set, given in
      sortedLabels(set.objects { object, _ in given.mixed.contains { $0 === object as? Tag } })
    }
    calls["objects(options:passingTest:)"] = { set, given in
      sortedLabels(
        set.objects(options: given.order) { object, _ in given.mixed.contains { $0 === object as? Tag } }
      )
    }
    calls["sortedArray(using:)"] = { set, _ in
      labels(set.sortedArray(using: [NSSortDescriptor(key: "name", ascending: false)]))
    }
    return calls
  }

  private static var comparisons: [String: Call] {
    var calls: [String: Call] = [:]
    calls["isEqual(_:)"] = { set, given in
      let (same, other) = (NSSet(array: given.contents), NSSet(array: given.mixed))
      return
        "\(set.isEqual(same)) \(same.isEqual(set)) \(set.isEqual(other)) \(other.isEqual(set)) \(set.isEqual(1))"
        + "\(set.isEqual(NSCountedSet(array: given.contents + given.inside)))"
    }
    calls["isEqual(to:)"] = { set, given in
      "\(set.isEqual(to: Set(given.contents as [AnyHashable]))) \(set.isEqual(to: given.mixedSet))"
    }
    calls["intersects(_:)"] = { set, given in "\(set.intersects(given.mixedSet))" }
    calls["isSubset(of:)"] = { set, given in
      "\(set.isSubset(of: given.mixedSet)) \(set.isSubset(of: Set(given.contents as [AnyHashable])))"
    }
    calls["adding(_:)"] = { set, given in sortedLabels(set.adding(given.one)) }
    calls["func addingObjects(from: Set<AnyHashable>) -> Set<AnyHashable>"] = { set, given in
      sortedLabels(set.addingObjects(from: given.mixedSet))
    }
    calls["func addingObjects(from: [Any]) -> Set<AnyHashable>"] = { set, given in
      sortedLabels(set.addingObjects(from: given.mixed))
    }
    return calls
  }

  private static var changes: [String: Call] {
    var calls: [String: Call] = [:]
    calls["add(_:)"] = { set, given in
      set.add(given.one)
      return ""
    }
    calls["addObjects(from:)"] = { set, given in
      set.addObjects(from: given.mixed)
      return ""
    }
    calls["remove(_:)"] = { set, given in
      set.remove(given.one)
      set.remove("text")
      return ""
    }
    calls["removeAllObjects()"] = { set, _ in
      set.removeAllObjects()
      return ""
    }
    calls["intersect(_:)"] = { set, given in
      set.intersect(given.mixedSet)
      return ""
    }
    calls["minus(_:)"] = { set, given in
      set.minus(given.mixedSet)
      return ""
    }
    calls["union(_:)"] = { set, given in
      set.union(given.mixedSet)
      return ""
    }
    calls["setSet(_:)"] = { set, given in
      set.setSet(given.mixedSet)
      return ""
    }
    calls["filter(using:)"] = { set, _ in
      set.filter(using: NSPredicate(format: "name > 'c'"))
      return ""
    }
    return calls
  }
}
