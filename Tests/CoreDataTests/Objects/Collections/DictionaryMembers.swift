import Foundation
import TestSupport

/// Calls of the members of `NSMutableDictionary`, by their names in `FoundationMembers`.
///
/// A call returns the member's result. The test also compares the contents afterwards.
enum DictionaryMembers {
  typealias Call = @Sendable (NSMutableDictionary, Arguments) -> String

  /// The arguments of a member.
  struct Arguments {
    let key: String
    let value: Any
    let keys: [String]
    let entries: [AnyHashable: Any]

    private static var values: [(String, [Any])] {
      [
        ("title", ["a", "b"]), ("rating", [1, 2]), ("isPinned", [true, false]), ("ratio", [0.5, 1.5]),
        ("price", ["no number"]), ("unknown", ["x", 3]),
      ]
    }

    init(_ random: inout SplitMix) {
      func chosen() -> [(String, Any)] {
        Self.values.filter { _ in Bool.random(using: &random) }
          .map { ($0.0, $0.1[Int.random(in: $0.1.indices, using: &random)]) }
      }
      let one = Self.values[Int.random(in: Self.values.indices, using: &random)]
      key = one.0
      value = one.1[Int.random(in: one.1.indices, using: &random)]
      keys = chosen().map(\.0)
      entries = Dictionary(chosen().map { (AnyHashable($0.0), $0.1) }) { $1 }
    }
  }

  static let calls: [String: Call] = [copies, reading, enumerations, comparisons, changes].reduce(into: [:]) {
    all,
    part in
    all.merge(part) { _, new in new }
  }

  /// Initialisers without a dictionary argument, and members that do not belong to an instance.
  static let withoutDictionary: Set = [
    "init()", "init(capacity:)", "init(coder:)", "init(contentsOf:)", "init(contentsOfFile:)",
    "init(dictionary:)", "init(dictionary:copyItems:)", "init(dictionaryLiteral:)", "init(object:forKey:)",
    "init(objects:forKeys:)",
    "init(objects:forKeys:count:)", "init(sharedKeySet:)", "sharedKeySet(forKeys:)",
  ]

  /// Members that read the storage of `NSDictionary` and cannot be overridden: see Documentation/Deviations.md.
  static let impossible: Set = ["customMirror"]

  private static var copies: [String: Call] {
    var calls: [String: Call] = [:]
    calls["copy()"] = { dictionary, _ in copied(dictionary.copy()) }
    calls["copy(with:)"] = { dictionary, _ in copied(dictionary.copy(with: nil)) }
    calls["mutableCopy()"] = { dictionary, _ in copied(dictionary.mutableCopy()) }
    calls["mutableCopy(with:)"] = { dictionary, _ in copied(dictionary.mutableCopy(with: nil)) }
    calls["supportsSecureCoding"] = { dictionary, _ in "\(type(of: dictionary).supportsSecureCoding)" }
    calls["encode(with:)"] = { dictionary, _ in
      let coder = RecordingCoder()
      dictionary.encode(with: coder)
      return "\(coder.recorded.count)"
    }
    calls["write(to:atomically:)"] = { dictionary, _ in
      written { dictionary.write(to: $0, atomically: true) }
    }
    calls["write(toFile:atomically:)"] = { dictionary, _ in
      written { dictionary.write(toFile: $0.path, atomically: true) }
    }
    return calls
  }

  private static func written(_ write: (URL) -> Bool) -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    guard write(url), let data = try? Data(contentsOf: url),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { return "nothing" }
    return entries(NSDictionary(dictionary: list))
  }

  private static var reading: [String: Call] {
    var calls: [String: Call] = [:]
    calls["count"] = { dictionary, _ in "\(dictionary.count)" }
    calls["hash"] = { dictionary, _ in "\(dictionary.hash)" }
    calls["allKeys"] = { dictionary, _ in sortedLabels(dictionary.allKeys) }
    calls["allValues"] = { dictionary, _ in sortedLabels(dictionary.allValues) }
    calls["object(forKey:)"] = { dictionary, given in label(dictionary.object(forKey: given.key)) }
    calls["value(forKey:)"] = { dictionary, given in label(dictionary.value(forKey: given.key)) }
    calls["subscript(Any) -> Any?"] = { dictionary, given in label(dictionary[given.key as Any]) }
    calls["allKeys(for:)"] = { dictionary, given in sortedLabels(dictionary.allKeys(for: given.value)) }
    calls["objects(forKeys:notFoundMarker:)"] = { dictionary, given in
      labels(dictionary.objects(forKeys: given.keys, notFoundMarker: "none"))
    }
    calls["getObjects(_:andKeys:count:)"] = { dictionary, _ in
      var (keys, objects): ([Any], [Any]) = ([], [])
      dictionary.getObjects(&objects, andKeys: &keys, count: dictionary.count)
      return zip(keys, objects).map { "\(label($0))=\(label($1))" }.sorted().joined(separator: " ")
    }
    calls["description"] = { dictionary, _ in sortedLines("\(dictionary)") }
    calls["description(withLocale:)"] = { dictionary, _ in
      sortedLines(dictionary.description(withLocale: nil))
    }
    calls["description(withLocale:indent:)"] = { dictionary, _ in
      sortedLines(dictionary.description(withLocale: nil, indent: 1))
    }
    calls["descriptionInStringsFileFormat"] = { dictionary, _ in
      sortedLines(dictionary.descriptionInStringsFileFormat)
    }
    return calls
  }

  private static var enumerations: [String: Call] {
    var calls: [String: Call] = [:]
    calls["makeIterator()"] = { dictionary, _ in
      dictionary.map { "\(label($0.key))=\(label($0.value))" }.sorted().joined(separator: " ")
    }
    calls["keyEnumerator()"] = { dictionary, _ in sortedLabels(dictionary.keyEnumerator().allObjects) }
    calls["objectEnumerator()"] = { dictionary, _ in sortedLabels(dictionary.objectEnumerator().allObjects) }
    calls["enumerateKeysAndObjects(_:)"] = { dictionary, _ in
      var found: [String] = []
      dictionary.enumerateKeysAndObjects { key, value, _ in found.append("\(label(key))=\(label(value))") }
      return found.sorted().joined(separator: " ")
    }
    calls["enumerateKeysAndObjects(options:using:)"] = { dictionary, _ in
      var found: [String] = []
      dictionary.enumerateKeysAndObjects(options: []) { key, value, _ in
        found.append("\(label(key))=\(label(value))")
      }
      return found.sorted().joined(separator: " ")
    }
    calls["keysOfEntries(passingTest:)"] = { dictionary, given in
      sortedLabels(dictionary.keysOfEntries { key, _, _ in label(key) == given.key })
    }
    calls["keysOfEntries(options:passingTest:)"] = { dictionary, given in
      sortedLabels(dictionary.keysOfEntries(options: []) { key, _, _ in label(key) == given.key })
    }
    // The comparator only compares keys for equality, so the result is not a sorted order.
    calls["keysSortedByValue(comparator:)"] = { dictionary, _ in
      sortedLabels(dictionary.keysSortedByValue { _, _ in .orderedAscending })
    }
    calls["keysSortedByValue(options:usingComparator:)"] = { dictionary, _ in
      sortedLabels(dictionary.keysSortedByValue(options: []) { _, _ in .orderedAscending })
    }
    return calls
  }

  private static var comparisons: [String: Call] {
    var calls: [String: Call] = [:]
    calls["isEqual(_:)"] = { dictionary, given in
      let same = dictionary.copy() as? NSDictionary
      return "\(dictionary.isEqual(same)) \(dictionary.isEqual(NSDictionary(dictionary: given.entries)))"
        + " \(dictionary.isEqual(given.entries)) \(dictionary.isEqual(1)) \(dictionary.isEqual(dictionary))"
    }
    // On Apple's platforms, a dictionary equals a Swift dictionary with the same entries. On Linux, Foundation requires the
    // other one to be an `NSDictionary`.
    calls["isEqual(to:)"] = { dictionary, given in
      let isPlain = type(of: dictionary) == type(of: NSMutableDictionary())
      let entries = NSDictionary(dictionary: given.entries)
      return "\(isPlain ? dictionary.isEqual(entries) : dictionary.isEqual(to: given.entries))"
    }
    return calls
  }

  private static var changes: [String: Call] {
    var calls: [String: Call] = [:]
    calls["setObject(_:forKey:)"] = { dictionary, given in
      dictionary.setObject(given.value, forKey: given.key)
      return ""
    }
    calls["subscript(AnyHashable) -> Any?"] = { dictionary, given in
      let key = AnyHashable(given.key)
      let found = label(dictionary[key])
      dictionary[key] = given.entries.isEmpty ? nil : given.value
      return found
    }
    calls["addEntries(from:)"] = { dictionary, given in
      dictionary.addEntries(from: given.entries)
      return ""
    }
    calls["setDictionary(_:)"] = { dictionary, given in
      dictionary.setDictionary(given.entries)
      return ""
    }
    calls["removeObject(forKey:)"] = { dictionary, given in
      dictionary.removeObject(forKey: given.key)
      return ""
    }
    calls["removeObjects(forKeys:)"] = { dictionary, given in
      dictionary.removeObjects(forKeys: given.keys)
      return ""
    }
    calls["removeAllObjects()"] = { dictionary, _ in
      dictionary.removeAllObjects()
      return ""
    }
    return calls
  }
}
