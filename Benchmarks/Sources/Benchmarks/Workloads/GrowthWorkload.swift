import CoreData
import Foundation
import Samples

/// Work whose time must grow with its size, and not with the square of the size.
enum GrowthWorkload {
  private static let sizes = [1_000, 10_000, 100_000]
  /// Growth with n log n has an exponent of 1.08 from 1,000 to 100,000.
  private static let largestExponent = 1.2
  /// A mutable ordered set shows its members in Foundation's array, which moves 8 bytes for each member after
  /// a change. From about ten thousand members on, this dominates the time.
  private static let largestExponentInFoundation = 1.5
  /// A set of objects moves 8 bytes for each member after a change, unless it is at the beginning or the end.
  private static let largestExponentInMemory = 1.5
  private static let rows = 10

  /// - Parameter command: `perennial`; `nil` for the one next to this program.
  static func make(_ files: SampleFiles, command: URL?) throws -> Workload {
    let command = try command ?? ChildProgram.sibling("perennial")
    let stores = try sizes.map { size in (size, try OrderedStore.file(files, members: size)) }
    let checked = Dictionary(uniqueKeysWithValues: stores)
    let samples = try SampleStore(files.original(rows: rows))
    return Workload(
      title: "what grows from 1,000 to 100,000",
      measure: .exponent,
      contenders: [
        contender(
          "insert at the front, mutableOrderedSetValue",
          atMost: largestExponentInFoundation,
          insertAtFront
        ),
        contender("insert at the front, insertIntoMembers", insertAtFrontByAccessor),
        contender(
          "insert at 1, 3, 5 and so on, insertIntoMembers",
          atMost: largestExponentInMemory,
          insertBetweenByAccessor
        ),
        contender(
          "take out at the front, mutableOrderedSetValue",
          atMost: largestExponentInFoundation,
          takeOutAtFront
        ),
        contender("take out at the front, removeFromMembers", takeOutAtFrontByAccessor),
        contender("exchange the ends, mutableOrderedSetValue", exchangeEnds),
        contender("perennial check, members of one ordered relationship") { size in
          try ChildProgram.seconds(command, ["check", checked[size]?.path ?? ""])
        },
        contender("save, contexts that merge it", saveFollowed),
        contender("make contexts with one parent", makeChildren),
        contender("count, terms of an OR") { terms in
          let parts = comparisons("a0 == %lld", terms)
          return try count(samples, NSCompoundPredicate(orPredicateWithSubpredicates: parts), finds: 0)
        },
        contender("count, terms of an AND") { terms in
          let parts = comparisons("a0 != %lld", terms)
          return try count(samples, NSCompoundPredicate(andPredicateWithSubpredicates: parts), finds: rows)
        },
      ]
    )
  }

  /// - Parameters:
  ///   - bound: the largest exponent.
  ///   - seconds: measures the time of the work at a size.
  private static func contender(
    _ name: String,
    atMost bound: Double = largestExponent,
    _ seconds: @escaping (Int) throws -> Double
  ) -> Contender {
    Contender(
      name,
      [.atMost(bound)],
      measuring: { _ in
        let points = try sizes.map { size in (size: size, seconds: try seconds(size)) }
        return Contender.Reading(value: Growth.exponent(points) ?? .nan)
      }
    )
  }

  // MARK: - Ordered relationships

  private static func insertAtFront(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    return Stopwatch.processor.time {
      for _ in 0..<count { store.members.insert(store.newMember(), at: 0) }
    }
  }

  private static func insertAtFrontByAccessor(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    return Stopwatch.processor.time {
      for _ in 0..<count { store.owner.insertManagedValue(store.newMember(), at: 0, "members") }
    }
  }

  private static func insertBetweenByAccessor(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    try store.fill(count)
    return Stopwatch.processor.time {
      for place in 0..<count {
        store.owner.insertManagedValue(store.newMember(), at: 2 * place + 1, "members")
      }
    }
  }

  private static func takeOutAtFront(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    try store.fill(count)
    return Stopwatch.processor.time {
      for _ in 0..<count { store.members.removeObject(at: 0) }
    }
  }

  private static func takeOutAtFrontByAccessor(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    try store.fill(count)
    return Stopwatch.processor.time {
      for _ in 0..<count { store.owner.removeManagedValue(at: 0, "members") }
    }
  }

  private static func exchangeEnds(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    try store.fill(count)
    return Stopwatch.processor.time {
      for _ in 0..<count { store.members.exchangeObject(at: 0, withObjectAt: count - 1) }
    }
  }

  // MARK: - Contexts

  /// The time of a save and of the merges in all contexts that follow it.
  private static func saveFollowed(by count: Int) throws -> Double {
    let store = try OrderedStore()
    try store.context.save()
    return try Stopwatch.processor.time {
      let followers = (0..<count).map { _ in
        let context = store.newContext()
        context.automaticallyMergesChangesFromParent = true
        return context
      }
      _ = store.newMember()
      try store.context.save()
      for context in followers { context.performAndWait {} }
    }
  }

  private static func makeChildren(_ count: Int) throws -> Double {
    let store = try OrderedStore()
    return Stopwatch.processor.time {
      let children = (0..<count).map { _ in
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = store.context
        return context
      }
      precondition(children.count == count)
    }
  }

  // MARK: - Predicates

  /// Comparisons with numbers that no row has.
  private static func comparisons(_ format: String, _ count: Int) -> [NSPredicate] {
    (0..<count).map { NSPredicate(format: format, Int64($0 + 1_000_000)) }
  }

  private static func count(_ store: SampleStore, _ predicate: NSPredicate, finds expected: Int) throws
    -> Double
  {
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.predicate = predicate
    let context = store.context()
    return try Stopwatch.processor.time {
      let found = try context.count(for: request)
      precondition(found == expected)
    }
  }
}

/// An owner with an ordered relationship.
final class OrderedStore {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: OrderedStore.model)
  let context: NSManagedObjectContext
  let owner: NSManagedObject

  /// - Parameter file: the store's file; `nil` for a store in memory.
  init(_ file: URL? = nil) throws {
    try coordinator.addPersistentStore(
      type: file == nil ? .inMemory : .sqlite,
      at: file ?? URL(fileURLWithPath: "/dev/null")
    )
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
  }

  /// The file of a store whose owner has this number of members.
  static func file(_ files: SampleFiles, members: Int) throws -> URL {
    let url = files.emptyFile()
    try OrderedStore(url).fill(members)
    return url
  }

  /// The relationship. It is requested again for each use, as programs do.
  var members: NSMutableOrderedSet { owner.mutableOrderedSetValue(forKey: "members") }

  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  func newMember() -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
  }

  func fill(_ count: Int) throws {
    for _ in 0..<count { newMember().setValue(owner, forKey: "owner") }
    try context.save()
  }

  private static let model: NSManagedObjectModel = {
    let (owner, member) = (NSEntityDescription(), NSEntityDescription())
    (owner.name, member.name) = ("Owner", "Member")
    let (members, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (members.name, back.name) = ("members", "owner")
    (members.destinationEntity, back.destinationEntity) = (member, owner)
    (members.inverseRelationship, back.inverseRelationship) = (back, members)
    (members.maxCount, back.maxCount) = (0, 1)
    members.isOrdered = true
    for relationship in [members, back] { relationship.isOptional = true }
    owner.properties = [members]
    member.properties = [back]
    let model = NSManagedObjectModel()
    model.entities = [owner, member]
    return model
  }()
}
