import CoreData

extension NSFetchRequest<NSManagedObject> {
  /// Fetches the objects of exactly this entity.
  static func exactly(_ entity: NSEntityDescription) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.includesSubentities = false
    return request
  }
}
