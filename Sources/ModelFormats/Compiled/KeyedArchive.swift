import Foundation
import PropertyLists

/// The objects of a keyed archive (`NSKeyedArchiver`), read as they are asked for and without
/// making instances of the classes that were archived.
final class KeyedArchive {
  private let list: BinaryPropertyList
  /// The number in the property list of each archived object.
  private let objects: [Int]
  let root: Int
  private let file: String?
  private let kind: String
  private var instances: [Int: ArchivedInstance] = [:]
  /// The number of look-ups that are left: an archive whose parts are shared could be gone through for ever.
  private var effort: Int

  /// Reads the table of an archive.
  ///
  /// - Parameter kind: the kind of thing that the data should be, with its article, for errors.
  /// - Throws: `ModelFileError` if the data is not an archive with one root object.
  init(_ data: Data, file: String?, kind: String = "a compiled model") throws(ModelFileError) {
    self.file = file
    self.kind = kind
    effort = 1_000_000 + 100 * data.count
    do throws(BinaryPropertyList.Failure) {
      list = try BinaryPropertyList(data)
      var fields: [String: BinaryPropertyList.Object] = [:]
      guard case .dictionary(let keys, let values) = try list.object(list.topObject) else {
        throw .init(problem: "the property list holds no dictionary")
      }
      for (key, value) in zip(keys, values) {
        if case .string(let name) = try list.object(key) { fields[name] = try list.object(value) }
      }
      guard case .array(let objects)? = fields["$objects"],
        case .dictionary(let topKeys, let topValues)? = fields["$top"]
      else { throw .init(problem: "the property list is not a keyed archive") }
      self.objects = objects
      var root: Int?
      for (key, value) in zip(topKeys, topValues) {
        if case .string("root") = try list.object(key), case .uid(let uid) = try list.object(value) { root = uid }
      }
      guard let root else { throw .init(problem: "the archive has no root object") }
      self.root = root
    } catch {
      throw ModelFileError(.corrupt, file: file, problem: "this is not \(kind): \(error.problem)")
    }
  }

  /// The root object when it is a string.
  func rootText() throws(ModelFileError) -> String? {
    if case .string(let text) = try object(root) { return text }
    return nil
  }

  /// The root object.
  func rootInstance() throws(ModelFileError) -> ArchivedInstance {
    guard let instance = try instance(root) else {
      throw ModelFileError(.corrupt, file: file, problem: "this is not \(kind): its root is not an object")
    }
    return instance
  }

  /// The instance of a number, or `nil` when there is something else: `$null`, a string, a number.
  func instance(_ uid: Int) throws(ModelFileError) -> ArchivedInstance? {
    try spend(1)
    if let known = instances[uid] { return known }
    guard case .dictionary(let keys, let values) = try object(uid) else { return nil }
    var fields: [String: BinaryPropertyList.Object] = [:]
    for (key, value) in zip(keys, values) {
      if case .string(let name) = try plain(key) { fields[name] = try plain(value) }
    }
    let instance = ArchivedInstance(
      archive: self,
      uid: uid,
      className: try className(fields),
      fields: fields
    )
    instances[uid] = instance
    return instance
  }

  /// The object of a number.
  func object(_ uid: Int) throws(ModelFileError) -> BinaryPropertyList.Object {
    try spend(1)
    guard objects.indices.contains(uid) else {
      throw ModelFileError(.corrupt, file: file, problem: "the archive refers to an object that it does not have")
    }
    let object = try plain(objects[uid])
    if case .string(let text) = object { try spend(text.utf8.count / 16) }
    return object
  }

  /// Counts the look-ups.
  ///
  /// - Throws: `ModelFileError` when it is more than an archive of this size can be asked for.
  func spend(_ amount: Int) throws(ModelFileError) {
    effort -= amount
    if effort >= 0 { return }
    throw ModelFileError(
      .corrupt,
      file: file,
      problem: "the objects of the archive share their parts, and stand for more than can be read"
    )
  }

  /// The object with that number in the property list.
  func plain(_ index: Int) throws(ModelFileError) -> BinaryPropertyList.Object {
    do {
      return try list.object(index)
    } catch {
      throw ModelFileError(.corrupt, file: file, problem: error.problem)
    }
  }

  func error(_ element: String, problem: String) -> ModelFileError {
    ModelFileError(.corrupt, file: file, element: element, problem: problem)
  }

  private func className(_ fields: [String: BinaryPropertyList.Object]) throws(ModelFileError) -> String {
    guard case .uid(let uid)? = fields["$class"], case .dictionary(let keys, let values) = try object(uid)
    else { return "" }
    for (key, value) in zip(keys, values) {
      if case .string("$classname") = try plain(key), case .string(let name) = try plain(value) { return name }
    }
    return ""
  }
}

/// An object of a keyed archive: its class and its values by key.
final class ArchivedInstance {
  unowned let archive: KeyedArchive
  let uid: Int
  let className: String
  private let fields: [String: BinaryPropertyList.Object]

  init(archive: KeyedArchive, uid: Int, className: String, fields: [String: BinaryPropertyList.Object]) {
    self.archive = archive
    self.uid = uid
    self.className = className
    self.fields = fields
  }

  /// The value of a key with references followed: never `.uid`; `nil` for a missing one and for `$null`.
  func value(_ key: String) throws(ModelFileError) -> BinaryPropertyList.Object? {
    guard let field = fields[key] else { return nil }
    guard case .uid(let uid) = field else { return field }
    if uid == 0 { return nil }
    let object = try archive.object(uid)
    if case .uid = object { throw archive.error(key, problem: "a reference leads to another reference") }
    return object
  }

  func boolean(_ key: String) throws(ModelFileError) -> Bool {
    switch try value(key) {
    case .boolean(let value): value
    case .integer(let value): value != 0
    default: false
    }
  }

  func integer(_ key: String) throws(ModelFileError) -> Int64? {
    switch try value(key) {
    case .integer(let value): value
    case .boolean(let value): value ? 1 : 0
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// A string, also one that was archived as an `NSString` object.
  func string(_ key: String) throws(ModelFileError) -> String? {
    if case .string(let text)? = try value(key) { return text }
    return try instance(key)?.text()
  }

  func instance(_ key: String) throws(ModelFileError) -> ArchivedInstance? {
    guard case .uid(let uid)? = fields[key], uid != 0 else { return nil }
    return try archive.instance(uid)
  }

  /// The value of an archived string object, or `nil` if the object is not a string.
  func text() throws(ModelFileError) -> String? {
    if case .string(let text)? = try value("NS.string") { return text }
    if case .data(let data)? = try value("NS.bytes") { return String(decoding: data, as: UTF8.self) }
    return nil
  }

  /// The keys that the instance was encoded with.
  var keys: [String] { fields.keys.sorted() }

  /// The value of a key as it is archived, including references.
  func field(_ key: String) -> BinaryPropertyList.Object? { fields[key] }

  /// The numbers of the elements of an archived array, set or ordered set.
  func elements(_ key: String = "NS.objects") throws(ModelFileError) -> [Int] {
    guard case .array(let indices)? = try value(key) else { return [] }
    var uids: [Int] = []
    try archive.spend(indices.count)
    for index in indices {
      if case .uid(let uid) = try archive.plain(index) { uids.append(uid) }
    }
    return uids
  }

  /// The keys (strings) and the numbers of the values of an archived dictionary, by key.
  func entries() throws(ModelFileError) -> [(key: String, uid: Int)] {
    let isKnownKeys = className.hasPrefix("NSKnownKeysDictionary")
    let keyUIDs: [Int]
    let valueUIDs: [Int]
    if isKnownKeys {
      keyUIDs = try instance("searchMapping")?.instance("keys")?.elements() ?? []
      valueUIDs = try instance("values")?.elements() ?? []
    } else {
      keyUIDs = try elements("NS.keys")
      valueUIDs = try elements()
    }
    var entries: [(key: String, uid: Int)] = []
    for (keyUID, uid) in zip(keyUIDs, valueUIDs) {
      if let key = try archive.text(keyUID) { entries.append((key, uid)) }
    }
    return entries.sorted { $0.key < $1.key }
  }
}

extension KeyedArchive {
  /// The string of a number, or `nil` when there is something else.
  func text(_ uid: Int) throws(ModelFileError) -> String? {
    if case .string(let text) = try object(uid) { return text }
    return try instance(uid)?.text()
  }
}
