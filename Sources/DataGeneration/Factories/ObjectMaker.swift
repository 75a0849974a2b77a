import CoreData
import Foundation

/// Makes the objects that one call of a factory asks for, in a context. Used on the context's queue.
final class ObjectMaker {
  /// The largest number of required relationships between a requested object and an object that is created for it.
  private static let mostDepth = 32
  /// The largest number of objects that one call creates because other objects require them.
  private static let mostRequired = 100_000

  private struct Made {
    let object: NSManagedObject
    let settings: FactorySettings
    let depth: Int
  }

  private struct PlanKey: Hashable {
    let entity: String
    let settings: FactorySettings
  }

  private let context: NSManagedObjectContext
  private let model: NSManagedObjectModel
  private var plans: [PlanKey: ObjectPlan] = [:]
  private var made: [Made] = []
  private var requiredCount = 0
  private let claims: UsedPersonTexts
  /// The seed of the current object.
  private var seed: UInt64 = 0

  init(_ context: NSManagedObjectContext) throws(GenerationError) {
    self.context = context
    guard let model = context.model else {
      throw GenerationError(
        place: "the context",
        problem: "it has neither a coordinator nor a parent",
        remedy: "make objects in a context of a container, or set its persistentStoreCoordinator"
      )
    }
    self.model = model
    claims = UsedPersonTexts.of(context)
  }

  // MARK: - Entities

  /// The entity that a factory makes objects of.
  /// - Parameter name: Nil for the entity of the class.
  func entity(named name: String?, of objectClass: NSManagedObject.Type) throws(GenerationError)
    -> NSEntityDescription
  {
    if let name {
      if let entity = model.entitiesByName[name] { return try concrete(entity) }
      throw GenerationError(place: name, problem: "the model has no such entity", remedy: "name one of \(names)")
    }
    let className = Self.simpleName(NSStringFromClass(objectClass))
    let entities = model.entities.filter { Self.simpleName($0.managedObjectClassName ?? "") == className }
    let only = entities.count == 1 ? entities[0] : entities.first { $0.name == className }
    if let only { return try concrete(only) }
    throw GenerationError(
      place: className,
      problem: entities.isEmpty
        ? "no entity of the model has this class" : "several entities of the model have this class",
      remedy: "give the name of the entity: Factory<\(className)>(\"…\"); the model has \(names)"
    )
  }

  private var names: String { model.entitiesByName.keys.sorted().joined(separator: ", ") }

  private static func simpleName(_ className: String) -> String {
    className.split(separator: ".").last.map(String.init) ?? className
  }

  /// The entity itself or, if it is abstract, its first subentity that is not.
  private func concrete(_ entity: NSEntityDescription) throws(GenerationError) -> NSEntityDescription {
    var pending = [entity]
    while let next = pending.popLast() {
      if !next.isAbstract { return next }
      pending += next.subentities.sorted { ($0.name ?? "") > ($1.name ?? "") }
    }
    throw GenerationError(
      place: entity.name ?? "",
      problem: "the entity is abstract, and none below it has objects",
      remedy: "name another one"
    )
  }

  // MARK: - Objects

  /// Makes an object and has it changed.
  /// - Parameters:
  ///   - depth: The number of objects that are between it and the one that was asked for.
  ///   - change: Gets the object and its number, from 1.
  @discardableResult
  func make(
    _ entity: NSEntityDescription,
    settings: FactorySettings,
    depth: Int = 0,
    change: (NSManagedObject, Int) throws -> Void
  ) throws -> NSManagedObject {
    let name = entity.name ?? ""
    let outerSeed = seed
    seed = RandomNumbers.mixed(settings.seed ^ RandomNumbers.hash(name))
    defer { seed = outerSeed }
    let plan = try plan(entity, settings: settings)
    let number = try nextNumber(of: entity)
    let values = try plan.values(number)
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    made.append(Made(object: object, settings: settings, depth: depth))
    for (key, value) in values { object.setValue(value, forKey: key) }
    try change(object, Int(clamping: number) + 1)
    plan.makeConsistent(object, number: number, made: values) { attribute, text in
      claims.insert("\(entity.root.name ?? "").\(attribute)=\(text)")
    }
    return object
  }

  /// Random numbers for one of an object's changes.
  /// - Parameters:
  ///   - number: That of the object, from 1.
  ///   - place: The position of the change among all.
  func random(for number: Int, at place: Int) -> RandomNumbers {
    RandomNumbers(seed: seed ^ RandomNumbers.hash("change \(place)"), number: UInt64(number))
  }

  private func plan(_ entity: NSEntityDescription, settings: FactorySettings) throws(GenerationError)
    -> ObjectPlan
  {
    let key = PlanKey(entity: entity.name ?? "", settings: settings)
    if let plan = plans[key] { return plan }
    let plan = try ObjectPlan(entity: entity, settings: settings)
    plans[key] = plan
    return plan
  }

  /// The number of the next object of an entity's family in the context, from 0. It continues after
  /// the existing objects, so that unique values differ from those that another context has saved.
  private func nextNumber(of entity: NSEntityDescription) throws -> UInt64 {
    let root = entity.root.name ?? ""
    let key = "PerennialFactory.\(root)"
    let number =
      try context.userInfo[key] as? Int
      ?? context.count(for: NSFetchRequest<NSManagedObject>(entityName: root))
    context.userInfo[key] = number + 1
    return UInt64(max(0, number))
  }

  /// Makes the objects that those which were made still require, when all factories have done their
  /// part: one may have set the relationship from its other end.
  func makeRequired() throws {
    var place = 0
    while place < made.count {
      try makeRequired(by: made[place])
      place += 1
    }
  }

  private func makeRequired(by made: Made) throws {
    let object = made.object
    for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where relationship.leastCount > 0 && !relationship.isTransient {
      guard let destination = relationship.destinationEntity else { continue }
      let present = Self.count(object.value(forKey: name))
      let entity = try concrete(destination)
      for _ in 0..<max(0, relationship.leastCount - present) {
        requiredCount += 1
        guard made.depth < Self.mostDepth, requiredCount <= Self.mostRequired else { throw Self.endless(object) }
        try make(entity, settings: made.settings, depth: made.depth + 1) { other, _ in
          Self.link(object, relationship: relationship, to: other)
        }
      }
    }
  }

  private static func endless(_ object: NSManagedObject) -> GenerationError {
    GenerationError(
      place: object.entity.name ?? "",
      problem:
        "its objects require others, which require further ones, more than \(mostDepth) deep or \(mostRequired) of them",
      remedy: "give one of the relationships an object of your own"
    )
  }

  private static func count(_ destinations: Any?) -> Int {
    switch destinations {
    case let ordered as NSOrderedSet: ordered.count
    case let set as NSSet: set.count
    case let set as Set<NSManagedObject>: set.count
    case is NSManagedObject: 1
    default: 0
    }
  }

  private static func link(
    _ object: NSManagedObject,
    relationship: NSRelationshipDescription,
    to other: NSManagedObject
  ) {
    if !relationship.isToMany {
      object.setValue(other, forKey: relationship.name)
    } else if relationship.isOrdered {
      object.mutableOrderedSetValue(forKey: relationship.name).add(other)
    } else {
      object.mutableSetValue(forKey: relationship.name).add(other)
    }
  }

  // MARK: - The end of a call

  /// Checks all objects by the rules of a save.
  func validate() throws {
    for made in made where !made.object.isDeleted { try made.object.validateForInsert() }
  }

  /// Takes all objects out of the context again.
  func removeAll() {
    for made in made { context.delete(made.object) }
    context.processPendingChanges()
  }
}

/// The texts of persons that factories have given to objects of a context, and that no two may have.
private final class UsedPersonTexts {
  private static let key = "PerennialFactory"

  private var texts: Set<String> = []

  /// Those of a context. Called on its queue.
  static func of(_ context: NSManagedObjectContext) -> UsedPersonTexts {
    let claims = context.userInfo[key] as? UsedPersonTexts ?? UsedPersonTexts()
    context.userInfo[key] = claims
    return claims
  }

  /// Returns false when the text is there already.
  func insert(_ text: String) -> Bool { texts.insert(text).inserted }
}

extension NSManagedObjectContext {
  fileprivate var model: NSManagedObjectModel? { persistentStoreCoordinator?.managedObjectModel ?? parent?.model }
}
