import Foundation

extension NSMergeConflict {
  /// `NSMergeConflict (0x…) for NSManagedObject (0x…) with objectID '0x… <x-coredata://…>' with
  /// oldVersion = 1 and newVersion = 2 and old object snapshot = {…} and new database row = {…}`,
  /// with `<deleted>` for the version of an object that is gone.
  final func describe() -> String {
    let object = "NSManagedObject (\(ObjectHead.address(sourceObject)))"
    let isGone = newVersionNumber == 0 && persistedSnapshot == nil && cachedSnapshot == nil
    var text = "NSMergeConflict (\(ObjectHead.address(self))) for \(object)"
    text += " with objectID '\(sourceObject.describedID)' with oldVersion = \(oldVersionNumber)"
    text += " and newVersion = \(isGone ? "<deleted>" : "\(newVersionNumber)")"
    let snapshots = [
      ("old object snapshot", objectSnapshot), ("old cached row", cachedSnapshot),
      ("new database row", persistedSnapshot),
    ]
    for case (let name, let snapshot?) in snapshots {
      text += " and \(name) = \(DescriptionNode.snapshot(snapshot).text())"
    }
    return text
  }
}

extension NSConstraintConflict {
  /// `NSConstraintConflict (0x…) for constraint (name): database: (null), conflictedObjects: (…)`, over several lines.
  final func describe() -> String {
    let names = DescriptionNode.list(constraint).text()
    let database = (databaseObject?.describedID).orNull
    let objects = DescriptionNode.list(conflictingObjects.map(\.describedID)).text()
    return """
      NSConstraintConflict (\(ObjectHead.address(self))) for constraint \(names): \
      database: \(database), conflictedObjects: \(objects)
      """
  }
}

extension NSMergePolicy {
  final func describe() -> String { ObjectHead.text(self, [("mergeType", mergeType.name)]) }
}

extension NSMergePolicyType {
  /// The name of the constant in Objective-C.
  fileprivate var name: String {
    switch self {
    case .errorMergePolicyType: "NSErrorMergePolicyType"
    case .mergeByPropertyStoreTrumpMergePolicyType: "NSMergeByPropertyStoreTrumpMergePolicyType"
    case .mergeByPropertyObjectTrumpMergePolicyType: "NSMergeByPropertyObjectTrumpMergePolicyType"
    case .overwriteMergePolicyType: "NSOverwriteMergePolicyType"
    case .rollbackMergePolicyType: "NSRollbackMergePolicyType"
    }
  }
}

extension DescriptionNode {
  /// The values of an object by property. A transformable value is an application's own.
  fileprivate static func snapshot(_ snapshot: [String: Any]) -> DescriptionNode {
    let values = snapshot.reduce(into: [AnyHashable: Any]()) { $0[$1.key] = $1.value }
    return entries(values, atMost: Limit.modelParts) { value in
      guard let objectID = value as? NSManagedObjectID else { return .value(value, asksObjects: false) }
      return .word("\"\(objectID)\"")
    }
  }
}
