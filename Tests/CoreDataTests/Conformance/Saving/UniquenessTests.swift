import CoreData
import Foundation
import Testing

@Suite("Uniqueness constraints")
struct UniquenessTests {
  static let stores = [StoreKind.inMemory, .sqlite]
  /// The stores that a context saves to without a parent.
  static let ownStores = StoreKind.keepingRules.filter { !$0.isChild }
  /// The stores that keep their rows in memory.
  static let memoryStores = [StoreKind.inMemory, .xml, .binary]

  private func country(_ stack: Stack, _ code: String?, _ name: String? = nil, area: Int64? = nil) -> Country {
    let country = Country(context: stack.context)
    country.code = code
    country.name = name
    if let area { country.area = area }
    return country
  }

  private func town(_ stack: Stack, _ type: Town.Type, _ name: String, _ region: String?) -> Town {
    let town = type == Capital.self ? Capital(context: stack.context) : Town(context: stack.context)
    town.name = name
    town.region = region
    return town
  }

  private func saved(_ stack: Stack) throws -> [Country] {
    try stack.fetch(
      Country.self,
      sort: [NSSortDescriptor(key: "code", ascending: true)],
      in: stack.newContext()
    )
  }

  @Test("a second object with the value is refused, and nothing is saved", arguments: StoreKind.keepingRules)
  func refused(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = country(stack, "de")
    try stack.save()
    let other = country(stack, "fr")
    let second = country(stack, "de")
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    #expect(try saved(stack).map(\.code) == ["de"])
    if !kind.isChild {
      #expect(other.isInserted && second.isInserted)
      second.code = "es"
      try stack.save()
      #expect(try saved(stack).map(\.code) == ["de", "es", "fr"])
    }
  }

  @Test(
    "the error has the conflict: constraint, values, both objects and the stored values",
    arguments: stores
  )
  func conflict(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let first = country(stack, "de", "Germany")
    try stack.save()
    let second = country(stack, "de", "Deutschland")
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    let conflict = try #require(conflicts?.first)
    #expect(conflict.constraint == ["code"])
    #expect(conflict.constraintValues["code"] as? String == "de")
    #expect(conflict.databaseObject === first)
    #expect(conflict.databaseSnapshot?["name"] as? String == "Germany")
    #expect(conflict.conflictingObjects == [second])
    #expect(conflict.conflictingSnapshots.count == 1)
    #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [second])
    #expect(error?.localizedDescription.contains("code = de") == true)
  }

  @Test("objects of one save are in conflict too, with none in the store", arguments: stores)
  func oneSave(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let both = Set([country(stack, "de"), country(stack, "de")])
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.count == 1)
    #expect(conflicts?.first?.databaseObject == nil && conflicts?.first?.databaseSnapshot == nil)
    #expect(Set(conflicts?.first?.conflictingObjects ?? []) == both)
  }

  @Test("objects without the value are not in conflict", arguments: StoreKind.keepingRules)
  func missingValue(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = [country(stack, nil), country(stack, nil)]
    try stack.save()
    _ = country(stack, nil)
    try stack.save()
    #expect(try saved(stack).count == 3)
  }

  @Test("values that differ in case differ", arguments: StoreKind.keepingRules)
  func letterCase(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = [country(stack, "de"), country(stack, "DE")]
    try stack.save()
    #expect(try saved(stack).count == 2)
  }

  @Test("a constraint of two attributes is about both together", arguments: stores)
  func composite(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = [town(stack, Town.self, "A", "north"), town(stack, Town.self, "A", "south")]
    _ = [town(stack, Town.self, "A", nil), town(stack, Town.self, "A", nil)]
    try stack.save()
    _ = town(stack, Town.self, "A", "north")
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.first?.constraint == ["name", "region"])
  }

  @Test("a constraint holds for subentities, across them too", arguments: stores)
  func inherited(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = town(stack, Capital.self, "A", "north")
    try stack.save()
    _ = town(stack, Town.self, "A", "north")
    #expect(throws: NSError.self) { try stack.save() }
    stack.context.rollback()
    _ = [town(stack, Capital.self, "B", "north"), town(stack, Town.self, "B", "north")]
    #expect(throws: NSError.self) { try stack.save() }
  }

  @Test("a change to another's value is refused", arguments: stores)
  func update(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (first, second) = (country(stack, "de"), country(stack, "fr"))
    try stack.save()
    second.code = "de"
    let error = #expect(throws: NSError.self) { try stack.save() }
    let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.first?.databaseObject === first)
    #expect(conflicts?.first?.conflictingSnapshots.first?["code"] as? String == "fr")
  }

  @Test("a value that an object releases can be taken in the same save", arguments: StoreKind.keepingRules)
  func freed(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (first, second) = (country(stack, "de"), country(stack, "fr"))
    try stack.save()
    first.code = "at"
    stack.context.delete(second)
    _ = [country(stack, "de"), country(stack, "fr")]
    try stack.save()
    #expect(try saved(stack).map(\.code) == ["at", "de", "fr"])
  }

  @Test(
    "mergeByPropertyObjectTrump gives the store's object the values that were set here",
    arguments: stores
  )
  func objectTrump(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let first = country(stack, "de", "Germany", area: 357)
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let second = country(stack, "de", "Deutschland")
    try stack.save()
    let kept = try #require(try saved(stack).first)
    #expect(try saved(stack).count == 1)
    #expect(kept.objectID == first.objectID)
    #expect(kept.name == "Deutschland" && kept.area == 357)
    #expect(second.managedObjectContext == nil)
    #expect(first.name == "Deutschland")
    #expect(!stack.context.hasChanges)
  }

  @Test("mergeByPropertyObjectTrump moves relationships to the store's object", arguments: stores)
  func objectTrumpRelationships(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let first = country(stack, "de")
    let old = town(stack, Town.self, "Bonn", nil)
    old.country = first
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let second = country(stack, "de")
    let new = town(stack, Town.self, "Berlin", nil)
    new.country = second
    try stack.save()
    #expect(new.country === first)
    #expect(try saved(stack).first?.towns.compactMap(\.name).sorted() == ["Berlin", "Bonn"])
  }

  @Test("overwrite gives the store's object all values, those by default too", arguments: stores)
  func overwrite(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = country(stack, "de", "Germany", area: 357)
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy.overwrite
    _ = country(stack, "de")
    try stack.save()
    let kept = try #require(try saved(stack).first)
    #expect(kept.name == nil && kept.area == 1)
  }

  @Test(
    "mergeByPropertyObjectTrump uses the default for a value that was not set",
    arguments: ownStores
  )
  func objectTrumpDefaults(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = country(stack, "de", "Germany", area: 357)
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let second = country(stack, "de", "Deutschland", area: 1)
    second.name = nil
    try stack.save()
    let kept = try saved(stack)
    #expect(kept.map(\.name) == ["Germany"])
    #expect(kept.map(\.area) == [357])
  }

  @Test(
    "the store's object keeps a to-one relationship that the new object does not have",
    arguments: ownStores,
    [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType]
  )
  func toOneStays(_ kind: StoreKind, _ policy: NSMergePolicyType) throws {
    let stack = try Stack.graph(kind)
    town(stack, Town.self, "Bonn", "north").country = country(stack, "de")
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy(merge: policy)
    _ = town(stack, Town.self, "Bonn", "north")
    try stack.save()
    let kept = try stack.fetch(Town.self, in: stack.newContext())
    #expect(kept.map { $0.country?.code } == ["de"])
  }

  @Test("overwrite adds the destinations of to-many relationships", arguments: ownStores)
  func overwriteRelationships(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    town(stack, Town.self, "Bonn", nil).country = country(stack, "de")
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy.overwrite
    town(stack, Town.self, "Berlin", nil).country = country(stack, "de")
    try stack.save()
    #expect(try saved(stack).map { $0.towns.compactMap(\.name).sorted() } == [["Berlin", "Bonn"]])
  }

  @Test("a saved object survives a conflict with new objects of the same value", arguments: ownStores)
  func savedAmongNew(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let first = country(stack, "at", "Austria")
    try stack.save()
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let second = country(stack, "de", "Germany")
    first.code = "de"
    try stack.save()
    let kept = try saved(stack)
    #expect(kept.map(\.objectID) == [first.objectID])
    #expect(kept.map(\.name) == ["Germany"])
    #expect(second.managedObjectContext == nil)
  }

  @Test("two objects that exchange their values in one save are in conflict", arguments: ownStores)
  func exchange(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (first, second) = (country(stack, "de"), country(stack, "fr"))
    try stack.save()
    (first.code, second.code) = ("fr", "de")
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
  }

  @Test("objects can swap and pass on values if the context allows it", arguments: ownStores)
  func allowedExchange(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let all = ["de", "es", "fr", "it"].map { country(stack, $0, $0) }
    try stack.save()
    stack.context.exchangesUniqueValues = true
    for (index, code) in ["es", "de", "it", "nl"].enumerated() { all[index].code = code }
    try stack.save()
    let kept = try saved(stack)
    #expect(kept.map(\.code) == ["de", "es", "it", "nl"])
    #expect(kept.map(\.name) == ["es", "de", "fr", "it"])
    // A value that another object keeps still causes a conflict.
    all[0].code = "nl"
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    #expect(try saved(stack).map(\.code) == ["de", "es", "it", "nl"])
  }

  @Test(
    "in a store in memory, an object can take the value of an object that the save changes first",
    arguments: memoryStores
  )
  func changedBefore(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (first, second) = (country(stack, "de"), country(stack, "fr"))
    try stack.save()
    first.code = "es"
    second.code = "de"
    try stack.save()
    #expect(try saved(stack).map(\.code) == ["de", "es"])
  }

  @Test(
    "in a store in memory, the value of an object that changes later in the save is in conflict",
    arguments: memoryStores
  )
  func changedAfter(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let (first, second) = (country(stack, "de"), country(stack, "fr"))
    try stack.save()
    second.code = "de"
    first.code = "es"
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try stack.save()
    let kept = try saved(stack)
    #expect(kept.map(\.code) == ["de"])
    #expect(kept.map(\.objectID) == [second.objectID])
  }

  @Test("the stored object stays if the store wins, and the new one is deleted", arguments: stores)
  func storeWins(_ kind: StoreKind) throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
      let stack = try Stack.graph(kind)
      _ = country(stack, "de", "Germany")
      try stack.save()
      stack.context.mergePolicy = policy
      let second = country(stack, "de", "Deutschland")
      _ = country(stack, "fr")
      try stack.save()
      #expect(try saved(stack).map(\.name) == ["Germany", nil])
      #expect(second.managedObjectContext == nil)
    }
  }

  @Test("one of several new objects with an equal value is left", arguments: stores)
  func oneOfSeveral(_ kind: StoreKind) throws {
    for policy in [
      NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ] {
      let stack = try Stack.graph(kind)
      stack.context.mergePolicy = policy
      for area in 1...3 { _ = country(stack, "de", area: Int64(area) * 10) }
      try stack.save()
      let area =
        policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
          || policy.mergeType == .overwriteMergePolicyType ? 30 : 10
      #expect(try saved(stack).map(\.area) == [Int64(area)], "\(policy.mergeType)")
    }
  }

  @Test(
    "a changed object loses its change when the store is to win, and the other goes when it is not",
    arguments: stores
  )
  func changedObject(_ kind: StoreKind) throws {
    let expected: [(NSMergePolicy, [String])] = [
      (.mergeByPropertyStoreTrump, ["de first", "fr changed"]), (.rollback, ["de first", "fr second"]),
      (.mergeByPropertyObjectTrump, ["de changed"]), (.overwrite, ["de changed"]),
    ]
    for (policy, left) in expected {
      let stack = try Stack.graph(kind)
      _ = country(stack, "de", "first")
      let second = country(stack, "fr", "second")
      try stack.save()
      stack.context.mergePolicy = policy
      second.code = "de"
      second.name = "changed"
      try stack.save()
      #expect(try saved(stack).map { "\($0.code ?? "") \($0.name ?? "")" } == left, "\(policy.mergeType)")
    }
  }

  @Test("a policy of one's own is asked for constraint conflicts", arguments: stores)
  func custom(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = country(stack, "de")
    try stack.save()
    let policy = RenamingPolicy(merge: .errorMergePolicyType)
    stack.context.mergePolicy = policy
    _ = country(stack, "de")
    try stack.save()
    #expect(try saved(stack).map(\.code) == ["de", "de2"])
    #expect(policy.calls == ["constraints 1"])
  }

  /// Gives the second of two conflicting objects another code.
  private final class RenamingPolicy: NSMergePolicy, @unchecked Sendable {
    var calls: [String] = []

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      calls.append("constraints \(list.count)")
      for conflict in list {
        for case let country as Country in conflict.conflictingObjects { country.code? += "2" }
      }
    }
  }
}
