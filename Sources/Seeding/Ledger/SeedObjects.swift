import CoreData
import Foundation

/// The objects that a seed has imported into a store, by the digests of natural keys. From them a later run finds out
/// which objects are the seed's, which of these a user has deleted, and which values a user has changed.
struct SeedObjects: Sendable {
  /// The objects that the seed has created and has records of, by entity.
  var created: [String: DigestList] = [:]

  /// The objects that the seed has created and does not bring any more, by entity, until they are pruned.
  var left: [String: DigestList] = [:]

  /// The objects that were there, and that the seed has records of, by entity.
  var shared: [String: DigestList] = [:]

  /// The values that the seed had for each object at its last import, by entity.
  var values: [String: SeedBaseline] = [:]

  /// The names of the properties that made the natural keys of the digests, by entity. A header of a
  /// later version may declare others.
  var keyNames: [String: [String]] = [:]

  private static let createdKey = "made"
  private static let leftKey = "left"
  private static let sharedKey = "shared"
  private static let valuesKey = "values"
  private static let keyNamesKey = "keys"

  /// The keys of an entry of the ledger.
  static let keys = [createdKey, leftKey, sharedKey, valuesKey, keyNamesKey]

  init() {}

  /// - Parameter hasValues: False if the values are not read, which are most of an entry. Objects without them must not
  ///   be written back.
  init(_ entry: [String: Any], hasValues: Bool = true) {
    created = Self.lists(entry[Self.createdKey])
    left = Self.lists(entry[Self.leftKey])
    shared = Self.lists(entry[Self.sharedKey])
    if hasValues {
      values = (entry[Self.valuesKey] as? [String: Any] ?? [:]).compactMapValues(SeedBaseline.init(plist:))
    }
    keyNames = (entry[Self.keyNamesKey] as? [String: Any] ?? [:]).compactMapValues { $0 as? [String] }
  }

  func write(to entry: inout [String: Any]) {
    entry[Self.createdKey] = Self.plist(created)
    entry[Self.leftKey] = Self.plist(left)
    entry[Self.sharedKey] = Self.plist(shared)
    let values = self.values.filter { !$0.value.isEmpty }
    entry[Self.valuesKey] = values.isEmpty ? nil : values.mapValues(\.plist)
    entry[Self.keyNamesKey] = keyNames.isEmpty ? nil : keyNames
  }

  /// Returns true when the seed has a record of the object.
  func brings(_ digest: UInt64, of entity: String) -> Bool {
    created[entity]?.contains(digest) == true || shared[entity]?.contains(digest) == true
  }

  /// Returns true when the seed has created the object, be it that it does not bring it any more.
  func hasCreated(_ digest: UInt64, of entity: String) -> Bool {
    created[entity]?.contains(digest) == true || left[entity]?.contains(digest) == true
  }

  /// Forgets objects that are not in the store any more, by entity.
  mutating func forgetCreated(_ objects: [String: DigestList]) {
    for (entity, digests) in objects {
      created[entity]?.remove(digests)
      left[entity]?.remove(digests)
    }
  }

  private static func lists(_ plist: Any?) -> [String: DigestList] {
    (plist as? [String: Any] ?? [:]).compactMapValues { ($0 as? Data).flatMap(DigestList.init) }
  }

  private static func plist(_ lists: [String: DigestList]) -> [String: Data]? {
    let lists = lists.filter { !$0.value.isEmpty }
    return lists.isEmpty ? nil : lists.mapValues(\.data)
  }
}

extension SeedObjects {
  /// The same under the names that entities have in a model, where they were renamed since.
  func renamed(for model: NSManagedObjectModel) -> SeedObjects {
    var objects = self
    for entity in model.entities {
      guard let name = entity.name, let old = entity.renamingIdentifier, old != name,
        model.entitiesByName[old] == nil
      else { continue }
      objects.created[name] = objects.created[name] ?? objects.created.removeValue(forKey: old)
      objects.left[name] = objects.left[name] ?? objects.left.removeValue(forKey: old)
      objects.shared[name] = objects.shared[name] ?? objects.shared.removeValue(forKey: old)
      objects.values[name] = objects.values[name] ?? objects.values.removeValue(forKey: old)
      objects.keyNames[name] = objects.keyNames[name] ?? objects.keyNames.removeValue(forKey: old)
    }
    return objects
  }
}

/// Digests in order, 8 bytes each.
struct DigestList: Sendable {
  private(set) var digests: [UInt64]

  init(_ digests: [UInt64] = []) {
    self.digests = digests
    let isAscending = digests.indices.dropFirst().allSatisfy { digests[$0 - 1] < digests[$0] }
    if isAscending { return }
    self.digests.sort()
    removeDoubles()
  }

  /// Nil if the bytes are not a list of digests.
  init?(_ data: Data) {
    guard data.count % MemoryLayout<UInt64>.size == 0 else { return nil }
    self.init(PackedNumbers.read(data))
  }

  var data: Data { PackedNumbers.write(digests) }

  var isEmpty: Bool { digests.isEmpty }

  func contains(_ digest: UInt64) -> Bool {
    let place = digests.partition(orderedBelow: digest)
    return place < digests.count && digests[place] == digest
  }

  mutating func add(_ others: DigestList) {
    guard !isEmpty, !others.isEmpty else {
      if isEmpty { self = others }
      return
    }
    var all: [UInt64] = []
    all.reserveCapacity(digests.count + others.digests.count)
    var rest = others.digests[...]
    for digest in digests {
      while let next = rest.first, next <= digest {
        if next < digest { all.append(next) }
        rest.removeFirst()
      }
      all.append(digest)
    }
    digests = all + rest
  }

  mutating func remove(_ others: DigestList) {
    if !others.isEmpty { filter(by: others) { !$0 } }
  }

  mutating func formIntersection(_ others: DigestList) { filter(by: others) { $0 } }

  /// Keeps digests by whether they are in another list. Both are gone through once, in their order.
  private mutating func filter(by others: DigestList, _ isIncluded: (_ isInOthers: Bool) -> Bool) {
    var place = 0
    digests.removeAll { digest in
      while place < others.digests.count, others.digests[place] < digest { place += 1 }
      return !isIncluded(place < others.digests.count && others.digests[place] == digest)
    }
  }

  private mutating func removeDoubles() {
    var count = 0
    for digest in digests where count == 0 || digests[count - 1] != digest {
      digests[count] = digest
      count += 1
    }
    digests.removeLast(digests.count - count)
  }
}

extension [UInt64] {
  /// The index of the first number that is not ordered before another.
  fileprivate func partition(orderedBelow number: UInt64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
