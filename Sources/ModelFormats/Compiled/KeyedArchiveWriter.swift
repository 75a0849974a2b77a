import Foundation
import PropertyLists

/// Builds a keyed archive (`NSKeyedArchiver`) object by object, without having instances of the classes.
struct KeyedArchiveWriter {
  typealias Field = (key: String, value: PropertyListValue)

  /// The archived objects, by number; 0 is the missing value.
  private var objects: [PropertyListValue] = [.string("$null")]
  private var strings: [String: Int] = [:]
  private var integers: [Int64: Int] = [:]
  private var booleans: [Bool: Int] = [:]
  private var classes: [String: Int] = [:]

  /// Reserves a number for an object that others refer to before it is written.
  mutating func reserve() -> Int {
    objects.append(.null)
    return objects.count - 1
  }

  /// Adds a string, once; `nil` is the missing value.
  mutating func string(_ text: String?) -> Int {
    guard let text else { return 0 }
    return once(text, in: \.strings, value: .string(text))
  }

  mutating func integer(_ number: Int64) -> Int { once(number, in: \.integers, value: .integer(number)) }

  mutating func boolean(_ value: Bool) -> Int { once(value, in: \.booleans, value: .boolean(value)) }

  mutating func unsigned(_ number: UInt64) -> Int { append(.unsigned(number)) }

  mutating func data(_ data: Data) -> Int { append(.data(data)) }

  mutating func real(_ number: Double) -> Int { append(.real(number)) }

  /// Adds an object of a class.
  mutating func object(_ type: ArchivedClass, fields: [Field]) -> Int {
    let uid = reserve()
    define(uid, type: type, fields: fields)
    return uid
  }

  /// Defines the object of a reserved number.
  mutating func define(_ uid: Int, type: ArchivedClass, fields: [Field]) {
    objects[uid] = .dictionary([("$class", .uid(number(of: type)))] + fields)
  }

  /// Adds an array or a set.
  mutating func collection(_ type: ArchivedClass, uids: [Int]) -> Int {
    object(type, fields: [("NS.objects", .array(uids.map { .uid($0) }))])
  }

  /// Adds a dictionary with strings as keys.
  mutating func dictionary(_ type: ArchivedClass, _ entries: [(key: String, uid: Int)]) -> Int {
    let keys = entries.map { PropertyListValue.uid(string($0.key)) }
    return object(
      type,
      fields: [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map { .uid($0.uid) }))]
    )
  }

  /// The bytes of the archive.
  func data(root: Int) -> Data {
    BinaryPropertyListWriter.data(
      .dictionary([
        ("$version", .integer(100_000)),
        ("$archiver", .string("NSKeyedArchiver")),
        ("$top", .dictionary([("root", .uid(root))])),
        ("$objects", .array(objects)),
      ])
    )
  }

  /// The number of a value that the archive has once.
  private mutating func once<Key>(
    _ key: Key,
    in numbers: WritableKeyPath<Self, [Key: Int]>,
    value: PropertyListValue
  ) -> Int {
    if let uid = self[keyPath: numbers][key] { return uid }
    let uid = append(value)
    self[keyPath: numbers][key] = uid
    return uid
  }

  private mutating func append(_ value: PropertyListValue) -> Int {
    objects.append(value)
    return objects.count - 1
  }

  private mutating func number(of type: ArchivedClass) -> Int {
    let value = PropertyListValue.dictionary([
      ("$classname", .string(type.name)),
      ("$classes", .array(([type.name] + type.ancestors).map { .string($0) })),
    ])
    return once(type.name, in: \.classes, value: value)
  }
}
