import Foundation
import Predicates

extension NSManagedObject {
  /// The objects that a fetched property finds: fetched when it is first asked for, and kept until
  /// the object turns into a fault, or the property's user info is changed.
  ///
  /// An error of the fetch is logged at once and thrown by the next save, as errors of faults are.
  final func fetchedProperty(_ property: NSFetchedPropertyDescription) -> [NSManagedObject] {
    let userInfoChanges = property.userInfoChanges
    if let known = extras?.fetchedProperties[property.name], known.userInfoChanges == userInfoChanges {
      return known.found
    }
    guard let context = registry.context else { return [] }
    do {
      let found = try context.fetchObjects(try request(for: property))
      ensureExtras().fetchedProperties[property.name] = (found, userInfoChanges)
      return found
    } catch {
      context.recordReadFailure(error, of: self, key: property.name)
      return []
    }
  }

  private final func request(
    for property: NSFetchedPropertyDescription
  ) throws -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    guard let template = property.fetchRequest else {
      throw CocoaError.coreData(
        NSPersistentStoreOperationError,
        message: "the fetched property \(property.modelPath) has no fetch request; give it one."
      )
    }
    request.copySettings(from: template)
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
    ])
    return request
  }
}
