import CoreData
import Foundation
import Seeding

/// Compares the objects of one entity in two stores.
struct EntityComparison: Sendable {
  /// The numbers of objects in a batch. Batches are small if an entity's rows have no size limit.
  private static let (lightBatch, heavyBatch) = (1_000, 20)

  let entity: String
  let first: StoreReading
  let second: StoreReading
  let keys: MatchingKeys
  let limit: Duration?
  let mostAtOnce: Int
  let tell: @Sendable (ComparisonProgress) -> Void

  /// A part of an entity's objects. The remainder of an object's key digest decides in which pass it is compared.
  struct Pass: Sendable {
    let number: Int
    let count: Int

    func includes(_ key: ComparisonDigest) -> Bool { count == 1 || Int(key.high % UInt64(count)) == number }
  }

  func counts(_ body: @escaping @Sendable (ObjectDifference) throws -> Void) async throws -> ComparisonCounts {
    let objectCount = try await count(in: first)
    let passCount = max(1, (objectCount + mostAtOnce - 1) / mostAtOnce)
    let expected = passCount * (objectCount + (try await count(in: second)))
    let counter = ComparisonCounter(entity, expectedCount: expected, tell)
    var counts = ComparisonCounts()
    for number in 0..<passCount {
      counts.add(try await self.counts(Pass(number: number, count: passCount), counter: counter, body))
    }
    return counts
  }

  private func count(in reading: StoreReading) async throws -> Int {
    try await reading.read(within: limit) { try $0.count(for: request()) }
  }

  /// The number of objects of an entity in a batch.
  static func batchSize(of entity: NSEntityDescription) -> Int {
    StoreGrid.hasLargeValues(entity) ? heavyBatch : lightBatch
  }

  private func request() -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesSubentities = false
    request.includesPendingChanges = false
    return request
  }

  private func content(in reading: StoreReading) throws -> ComparedContent {
    ComparedContent(entity: try reading.entity(entity), keys: keys)
  }

  private func counts(
    _ pass: Pass,
    counter: ComparisonCounter,
    _ body: @escaping @Sendable (ObjectDifference) throws -> Void
  ) async throws -> ComparisonCounts {
    let index = try await first.read(within: limit, isPinned: true) { context in
      try self.index(pass, counter: counter, context: context)
    }
    let others = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    others.persistentStoreCoordinator = first.coordinator
    return try await second.read(within: limit, isPinned: true) { context in
      var match = EntityMatch(run: self, index: index, before: others, after: context, tell: body)
      try match.compare(pass, counter: counter)
      return match.counts
    }
  }

  private func index(
    _ pass: Pass,
    counter: ComparisonCounter,
    context: NSManagedObjectContext
  ) throws -> ComparisonIndex {
    var index = ComparisonIndex()
    let content = try content(in: first)
    try forEach(content, counter: counter, context: context) { object, key in
      guard pass.includes(key) else { return }
      index.append(.init(key: key, content: content.digest(of: object), object: object.objectID.key))
    }
    index.sort()
    return index
  }

  /// Iterates over the objects of a store in batches.
  ///
  /// - Parameter end: called after each batch, while the context still has its objects.
  func forEach(
    _ content: ComparedContent,
    counter: ComparisonCounter,
    context: NSManagedObjectContext,
    _ body: (NSManagedObject, ComparisonDigest) throws -> Void,
    end: () throws -> Void = {}
  ) throws {
    let request = request()
    request.relationshipKeyPathsForPrefetching = content.prefetched
    let size = Self.batchSize(of: try second.entity(entity))
    try context.forEachBatch(of: request, size: size) { objects in
      try Task.checkCancellation()
      try context.throwingReadFailures {
        for object in objects { try body(object, content.key(of: object)) }
        try end()
      }
      // Objects that refer to each other would stay in memory. A reset would move the context to a newer snapshot.
      context.refreshAllObjects()
      counter.add(objects.count)
    }
  }
}

/// The second half of a comparison: looks up the objects of the second store in the index of the first store.
/// Used on the queue of the second store's context.
struct EntityMatch {
  let run: EntityComparison
  var index: ComparisonIndex
  /// Reads objects of the first store again.
  let before: NSManagedObjectContext
  let after: NSManagedObjectContext
  let tell: (ObjectDifference) throws -> Void
  var counts = ComparisonCounts()
  private var namer = ObjectNames()

  init(
    run: EntityComparison,
    index: ComparisonIndex,
    before: NSManagedObjectContext,
    after: NSManagedObjectContext,
    tell: @escaping (ObjectDifference) throws -> Void
  ) {
    self.run = run
    self.index = index
    self.before = before
    self.after = after
    self.tell = tell
  }

  /// An object of the second store, and the matching entry of the first store.
  private struct Found {
    let id: NSManagedObjectID
    let name: String
    let entry: ComparisonIndex.Entry?
    let values: [String: ComparedValue]
  }

  mutating func compare(_ pass: EntityComparison.Pass, counter: ComparisonCounter) throws {
    counts.ambiguous = index.ambiguousCount
    let content = ComparedContent(entity: try run.second.entity(run.entity), keys: run.keys)
    var found: [Found] = []
    var (index, namer, same) = (self.index, self.namer, 0)
    var counts = self.counts
    try run.forEach(content, counter: counter, context: after) { object, key in
      guard pass.includes(key) else { return }
      let entry = index.match(key)
      if let entry, entry.content == content.digest(of: object) {
        same += 1
        return
      }
      found.append(
        Found(
          id: object.objectID,
          name: namer.name(of: object),
          entry: entry,
          values: entry == nil ? [:] : content.values(of: object, namer: &namer)
        )
      )
    } end: {
      try tellFound(found, counts: &counts)
      found = []
    }
    counts.same += same
    try tellDeleted(index.unmatched, counts: &counts)
    self.counts = counts
    (self.index, self.namer) = (index, namer)
  }

  private func tellFound(_ found: [Found], counts: inout ComparisonCounts) throws {
    let keys = found.compactMap { $0.entry?.object }
    let values = keys.isEmpty ? [:] : try valuesBefore(keys)
    for one in found {
      guard let entry = one.entry else {
        counts.inserted += 1
        try tell(difference(.inserted, name: one.name, after: one.id))
        continue
      }
      let present = values[entry.object]
      let changed = one.values.compactMap { key, value -> ObjectDifference.Value? in
        guard let before = present?.values[key], before.digest != value.digest else { return nil }
        return .init(key: key, before: before.words, after: value.words)
      }
      // The content digests differed, but no property does, for example because a value only prints in another order.
      guard !changed.isEmpty else {
        counts.same += 1
        continue
      }
      counts.changed += 1
      try tell(
        ObjectDifference(
          kind: .changed,
          entity: run.entity,
          name: one.name,
          before: present?.id,
          after: one.id,
          values: changed.sorted { $0.key < $1.key }
        )
      )
    }
  }

  private func tellDeleted(_ keys: [Int64], counts: inout ComparisonCounts) throws {
    let size = EntityComparison.batchSize(of: try run.first.entity(run.entity))
    for start in stride(from: 0, to: keys.count, by: size) {
      try Task.checkCancellation()
      let part = Array(keys[start...].prefix(size))
      let names = try namesBefore(part)
      for key in part {
        counts.deleted += 1
        let (id, name) = names[key] ?? (nil, "\(run.entity) p\(key)")
        try tell(difference(.deleted, name: name, before: id))
      }
    }
  }

  private func difference(
    _ kind: ObjectDifference.Kind,
    name: String,
    before: NSManagedObjectID? = nil,
    after: NSManagedObjectID? = nil
  ) -> ObjectDifference {
    ObjectDifference(kind: kind, entity: run.entity, name: name, before: before, after: after, values: [])
  }

  // MARK: - The first store

  private struct Before {
    let id: NSManagedObjectID
    let values: [String: ComparedValue]
  }

  private func valuesBefore(_ keys: [Int64]) throws -> [Int64: Before] {
    let content = ComparedContent(entity: try run.first.entity(run.entity), keys: run.keys)
    return try readBefore(keys, prefetching: content.prefetched) { object, namer in
      Before(id: object.objectID, values: content.values(of: object, namer: &namer))
    }
  }

  private func namesBefore(_ keys: [Int64]) throws -> [Int64: (NSManagedObjectID?, String)] {
    try readBefore(keys, prefetching: []) { object, namer in (object.objectID, namer.name(of: object)) }
  }

  private func readBefore<Value>(
    _ keys: [Int64],
    prefetching relationships: [String],
    _ value: (NSManagedObject, inout ObjectNames) -> Value
  ) throws -> [Int64: Value] {
    try before.performUncheckedAndWait {
      let values = try run.first.objects(
        of: run.entity,
        keys: keys,
        prefetching: relationships,
        in: before,
        value
      )
      before.reset()
      return values
    }
  }
}
