import Foundation
import PropertyLists

/// Traverses an archive, checks each object, and creates the plain ones after the objects that they contain.
struct SafeKeyedArchiveReader {
  private let archive: KeyedArchive
  private var walk: ContainerWalk
  private var decoded: [Int: NSObject] = [:]
  private var otherClasses: Set<String> = []
  private var plainClasses: Set<String> = []

  init(_ archive: KeyedArchive, byteCount: Int) {
    self.archive = archive
    walk = ContainerWalk(byteCount: byteCount)
  }

  mutating func read() throws -> SafeKeyedArchive.Content {
    var walk = walk
    try walk.run(
      from: archive.root,
      children: { uid throws(BinaryPropertyList.Failure) in
        try translating { () throws(ModelFileError) in try children(of: uid) }
      },
      leave: { uid throws(BinaryPropertyList.Failure) in
        try translating { () throws(ModelFileError) in try decode(uid) }
      }
    )
    if otherClasses.isEmpty, let root = decoded[archive.root] { return .plain(root) }
    guard !otherClasses.isEmpty else { throw broken("its root is nothing") }
    return .mixed(outer: try outerClasses(), all: otherClasses.union(plainClasses))
  }

  /// The classes of the root and of what is in collections; objects of other classes are not looked into.
  private mutating func outerClasses() throws(ModelFileError) -> Set<String> {
    var names: Set<String> = []
    var seen: Set<Int> = []
    var pending = [archive.root]
    while let uid = pending.popLast() {
      guard seen.insert(uid).inserted, let instance = try archive.instance(uid) else { continue }
      names.insert(instance.className)
      if PlainClass(rawValue: instance.className) != nil { pending += try children(of: uid) }
    }
    return names
  }

  private func translating<Value>(
    _ body: () throws(ModelFileError) -> Value
  ) throws(BinaryPropertyList.Failure) -> Value {
    do {
      return try body()
    } catch {
      throw BinaryPropertyList.Failure(problem: error.problem)
    }
  }

  // MARK: - The contents of an object

  private mutating func children(of uid: Int) throws(ModelFileError) -> [Int] {
    guard let instance = try archive.instance(uid) else { return [] }
    switch PlainClass(rawValue: instance.className) {
    case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet:
      plainClasses.insert(instance.className)
      return try members(of: instance, key: "NS.objects", numbered: "NS.object.")
    case .dictionary, .mutableDictionary:
      plainClasses.insert(instance.className)
      let keys = try members(of: instance, key: "NS.keys", numbered: "NS.key.")
      let values = try members(of: instance, key: "NS.objects", numbered: "NS.object.")
      guard keys.count == values.count else {
        throw broken("a dictionary has \(keys.count) keys and \(values.count) values")
      }
      return keys + values
    case .url:
      plainClasses.insert(instance.className)
      guard case .uid(let base)? = instance.field("NS.base"), base != 0 else { return [] }
      return [base]
    case .some:
      plainClasses.insert(instance.className)
      return []
    case nil:
      otherClasses.insert(instance.className)
      return try references(in: instance)
    }
  }

  /// The object numbers in a collection: a list, or, as in ordered sets, each under a key of its own.
  private func members(of instance: ArchivedInstance, key: String, numbered: String) throws(ModelFileError) -> [Int] {
    if let field = instance.field(key) {
      guard case .array(let indices) = field else { throw broken("a collection has no list of its objects") }
      let uids = try instance.elements(key)
      guard uids.count == indices.count, !uids.contains(0) else {
        throw broken("a collection holds what is not an object")
      }
      return uids
    }
    var uids: [Int] = []
    while let field = instance.field("\(numbered)\(uids.count)") {
      guard case .uid(let uid) = field, uid != 0 else { throw broken("a collection holds what is not an object") }
      uids.append(uid)
    }
    return uids
  }

  /// All objects that an instance of another class refers to.
  private func references(in instance: ArchivedInstance) throws(ModelFileError) -> [Int] {
    var found: [Int] = []
    for key in instance.keys where key != "$class" {
      switch instance.field(key) {
      case .uid(let uid) where uid != 0: found.append(uid)
      case .array: found += try instance.elements(key).filter { $0 != 0 }
      default: break
      }
    }
    return found
  }

  // MARK: - Making

  private mutating func decode(_ uid: Int) throws(ModelFileError) {
    guard let instance = try archive.instance(uid) else {
      decoded[uid] = try value(try archive.object(uid))
      return
    }
    guard let type = PlainClass(rawValue: instance.className) else { return }
    let factory = ArchivedObjectFactory(instance: instance)
    switch type {
    case .array, .mutableArray, .set, .mutableSet, .orderedSet, .mutableOrderedSet:
      let members = try members(of: instance, key: "NS.objects", numbered: "NS.object.").map { decoded[$0] }
      decoded[uid] = try objects(members).map { members throws(ModelFileError) in
        try factory.collection(type, members: members)
      }
    case .dictionary, .mutableDictionary:
      let keys = try members(of: instance, key: "NS.keys", numbered: "NS.key.").map { decoded[$0] }
      let values = try members(of: instance, key: "NS.objects", numbered: "NS.object.").map { decoded[$0] }
      guard let keys = objects(keys), let values = objects(values) else { return }
      decoded[uid] = try factory.dictionary(keys, values: values, isMutable: type == .mutableDictionary)
    case .url:
      var base: URL?
      if case .uid(let uid)? = instance.field("NS.base"), uid != 0 {
        guard let url = decoded[uid] as? NSURL else { throw broken("the base of a URL is not a URL") }
        base = url as URL
      }
      decoded[uid] = try factory.url(base: base)
    default: decoded[uid] = try factory.leaf(type)
    }
  }

  /// `nil` if one of the objects is not plain, so that it was not created.
  private func objects(_ objects: [NSObject?]) -> [NSObject]? {
    let found = objects.compactMap(\.self)
    return found.count == objects.count ? found : nil
  }

  /// A text, a number, a date or data that the archive contains directly.
  private func value(_ object: BinaryPropertyList.Object) throws(ModelFileError) -> NSObject {
    switch object {
    case .string("$null"): throw broken("a collection holds what is not an object")
    case .string(let text): return NSString(string: text)
    case .boolean(let value): return NSNumber(value: value)
    case .integer(let value): return NSNumber(value: value)
    case .unsigned(let value): return NSNumber(value: value)
    case .real(let value): return NSNumber(value: value)
    case .data(let data): return NSData(data: data)
    case .date(let date): return NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case .null, .uid, .array, .dictionary: throw broken("it refers to what is not an object")
    }
  }

  private func broken(_ problem: String) -> ModelFileError { archive.error("archive", problem: problem) }
}
