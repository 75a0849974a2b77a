import CoreData
import Foundation

/// One of the reasons for which Core Data has refused a save: an object that is not valid, or that has what a uniqueness
/// constraint allows one object alone.
enum SeedRefusal {
  /// An object that a rule of the model, or its class, does not allow.
  case invalid(NSManagedObject, NSError)
  case taken(TakenValues)

  /// The reasons that an error of a save gives, as far as they are about objects. Called on the queue of the context that
  /// was saved.
  /// - Parameters:
  ///   - context: The context with its unsaved changes.
  ///   - objects: The objects of the run, among which those of a conflict are looked for that another context has saved.
  /// - Returns: The reasons, and whether they are all that there are.
  static func all(of error: any Error, in context: NSManagedObjectContext?, among objects: [NSManagedObject])
    -> (refusals: [SeedRefusal], isComplete: Bool)
  {
    let error = error as NSError
    if error.domain == NSCocoaErrorDomain, error.code == NSManagedObjectConstraintMergeError {
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
      return (conflicts.map { SeedRefusal.taken(TakenValues($0, among: objects)) }, !conflicts.isEmpty)
    }
    var refusals: [SeedRefusal] = []
    var isComplete = true
    var ownRefusals: [(object: NSManagedObject, error: NSError)]?
    for detail in details(of: error) {
      if let object = detail.userInfo[NSValidationObjectErrorKey] as? NSManagedObject {
        if isValidation(detail) { refusals.append(.invalid(object, detail)) } else { isComplete = false }
        continue
      }
      // The error of a class's own validation need not say which object it is about.
      var candidates = ownRefusals ?? context.map { Self.ownRefusals(in: $0) } ?? []
      if let place = candidates.firstIndex(where: { isSame($0.error, other: detail) }) {
        refusals.append(.invalid(candidates.remove(at: place).object, detail))
      } else {
        isComplete = false
      }
      ownRefusals = candidates
    }
    return (refusals, isComplete)
  }

  /// Several validation errors of one save come in a single error.
  static func details(of error: NSError) -> [NSError] {
    error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
  }

  private static func isValidation(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain
      && (NSManagedObjectValidationError...NSValidationInvalidURIError).contains(error.code)
  }

  private static func isSame(_ one: NSError, other: NSError) -> Bool {
    one.domain == other.domain && one.code == other.code
      && one.localizedDescription == other.localizedDescription
  }

  /// The changed objects whose classes reject them with errors that do not name an object.
  private static func ownRefusals(in context: NSManagedObjectContext) -> [(
    object: NSManagedObject, error: NSError
  )] {
    var refusals: [(object: NSManagedObject, error: NSError)] = []
    func check(_ objects: Set<NSManagedObject>, _ validate: (NSManagedObject) throws -> Void) {
      for object in objects {
        do {
          try validate(object)
        } catch {
          for detail in details(of: error as NSError) where detail.userInfo[NSValidationObjectErrorKey] == nil {
            refusals.append((object, detail))
          }
        }
      }
    }
    check(context.insertedObjects) { try $0.validateForInsert() }
    check(context.updatedObjects) { try $0.validateForUpdate() }
    check(context.deletedObjects) { try $0.validateForDelete() }
    return refusals
  }
}

/// Values that a uniqueness constraint allows one object alone, and the objects that are to have them.
struct TakenValues {
  /// The objects of the run that are to have them.
  let objects: [NSManagedObject]
  /// True if one of these objects may have the values.
  let isFree: Bool
  /// The names of the constraint's properties.
  let names: String
  private let values: String
  private let entity: String
  /// The object of the store that has them, by entity and natural key.
  private let holder: String?

  init(_ conflict: NSConstraintConflict, among objects: [NSManagedObject]) {
    let first = conflict.conflictingObjects.first
    let known = Set(objects.map(ObjectIdentifier.init))
    let own = conflict.conflictingObjects.filter { known.contains(ObjectIdentifier($0)) }
    self.objects = own.isEmpty ? objects.filter { Self.has($0, conflict: conflict, of: first?.entity) } : own
    isFree = conflict.databaseObject == nil
    names = conflict.constraint.joined(separator: ", ")
    values = conflict.constraint.map { ValueWords.of(conflict.constraintValues[$0]) { _ in nil } }.joined(
      separator: ", "
    )
    entity = first?.entity.name ?? "object"
    holder = conflict.databaseObject.map { object in
      let key = NaturalKeys().key(of: object.entity)
      let snapshot = conflict.databaseSnapshot ?? [:]
      let words = key?.attributes.flatMap { attributes in
        key?.values(attributes.map { snapshot[$0.name] })?.words
      }
      return [object.entity.name, words].compactMap { $0 }.joined(separator: " ")
    }
  }

  /// Returns true when an object has the values of a conflict.
  private static func has(
    _ object: NSManagedObject,
    conflict: NSConstraintConflict,
    of entity: NSEntityDescription?
  ) -> Bool {
    guard let entity, object.entity.isKindOf(entity: entity) else { return false }
    return conflict.constraint.allSatisfy { name in
      let (own, other) = (object.value(forKey: name), conflict.constraintValues[name])
      guard let attribute = object.entity.attributesByName[name] else {
        return (own as? NSManagedObject)?.objectID == (other as? NSManagedObject)?.objectID
      }
      return PlannedValue.present(own, of: attribute) == PlannedValue.present(other, of: attribute)
    }
  }

  /// The error of an object that may not have the values.
  /// - Parameters:
  ///   - position: The place of its record.
  ///   - other: The place of another record that gives them.
  func error(at position: SeedPosition?, besides other: SeedPosition?, underlying: any Error) -> SeedError {
    let present = holder.map { "the \($0) of the store" } ?? "another object"
    let owner = other.map { "\($0)" } ?? present
    return SeedError(
      code: .invalidObject,
      at: position?.with(key: names),
      problem: "\(owner) has the \(names) \(values) as well, and the model allows one \(entity) with it",
      remedy: "give each a value of its own",
      underlying: underlying
    )
  }
}
