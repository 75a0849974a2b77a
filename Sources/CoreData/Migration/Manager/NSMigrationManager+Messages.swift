import Foundation
public import Predicates

extension NSMigrationManager: KeyValueCoding, MessageReceiver {
  public final func value(forKey key: String) -> Any? { try? checkedValue(forKey: key) }

  /// Returns the value that expressions find under `$manager.sourceContext` and the like.
  ///
  /// - Throws: `NSMigrationError` for a key that a manager does not have.
  public final func checkedValue(forKey key: String) throws -> Any? {
    switch key {
    case "sourceContext": return sourceContext
    case "destinationContext": return destinationContext
    case "sourceModel": return sourceModel
    case "destinationModel": return destinationModel
    case "mappingModel": return mappingModel
    case "currentEntityMapping": return currentEntityMapping
    case "migrationProgress": return migrationProgress
    case "userInfo": return userInfo
    default: throw CocoaError.coreData(NSMigrationError, message: "a migration manager has no key \(key)")
    }
  }

  /// A request for the objects of one entity of the source, without those of its subentities, which
  /// have mappings of their own.
  final func fetchRequest(
    forSourceEntityNamed name: String,
    predicateString: String
  ) throws -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: name)
    request.includesSubentities = false
    request.predicate = predicateString == "TRUEPREDICATE" ? nil : try NSPredicate(parsing: predicateString)
    return request
  }

  final func answerOwn(_ selector: String, arguments: [Any?]) throws -> Any? {
    guard let message = MigrationMessage(rawValue: selector) else {
      throw CocoaError.coreData(
        NSMigrationError,
        message: """
          the manager \(type(of: self)) does not answer \(selector); override answer(_:_:) in a subclass and call \
          the method from there.
          """
      )
    }
    guard arguments.count == 2, let name = arguments[0] as? String else {
      throw unsuitable(selector, problem: "it takes a name and one more argument")
    }
    switch message {
    case .destinations:
      return destinationInstances(
        forEntityMappingName: try knownMapping(name, selector: selector),
        sourceInstances: try objects(arguments[1], selector: selector)
      )
    case .sources:
      return sourceInstances(
        forEntityMappingName: try knownMapping(name, selector: selector),
        destinationInstances: try objects(arguments[1], selector: selector)
      )
    case .destinationsForRelationship: return destinations(of: try objects(arguments[1], selector: selector))
    case .fetchRequest:
      guard let predicate = arguments[1] as? String else { throw unsuitable(selector, problem: "a predicate is text") }
      return try fetchRequest(forSourceEntityNamed: name, predicateString: predicate)
    }
  }

  /// The objects that were made for some objects of the source, as far as the relationship that is
  /// being set can take them.
  private func destinations(of sources: [NSManagedObject]) -> [NSManagedObject] {
    let found = associations.destinations(of: sources)
    guard let entity = currentRelationship?.destinationEntity else { return found }
    return found.filter { $0.entity.isKindOf(entity: entity) }
  }

  private func knownMapping(_ name: String, selector: String) throws -> String {
    if mappingModel.entityMappingsByName[name] != nil { return name }
    throw unsuitable(selector, problem: "the mapping model has no mapping named \(name)")
  }

  private func objects(_ value: Any?, selector: String) throws -> [NSManagedObject] {
    try MigrationArguments.objects(value) { unsuitable(selector, problem: $0) }
  }

  private func unsuitable(_ selector: String, problem: String) -> any Error {
    CocoaError.coreData(NSMigrationError, message: "\(selector): \(problem)")
  }
}
