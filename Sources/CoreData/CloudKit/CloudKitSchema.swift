import Foundation

/// The record types that CloudKit has for a model, named as Apple's article "Reading CloudKit
/// Records for Core Data" says: with a prefix, and only for what a store keeps.
struct CloudKitSchema {
  private let entities: [NSEntityDescription]

  init(_ model: NSManagedObjectModel, configuration: String?) {
    entities = model.storedEntities(forConfigurationName: configuration) ?? []
  }

  /// A line for each record type with its fields.
  var text: String {
    entities.filter { !$0.isAbstract }.map(line).sorted().joined(separator: "\n")
  }

  private func line(_ entity: NSEntityDescription) -> String {
    let fields = entity.allProperties.filter(isField).map { "CD_\($0.name)" }
    return "CD_\(entity.name ?? ""): \((["CD_entityName"] + fields.sorted()).joined(separator: ", "))"
  }

  /// A to-many relationship is mirrored by the records at its other side, or by records of its own.
  private func isField(_ property: NSPropertyDescription) -> Bool {
    if property.isTransient || property is NSFetchedPropertyDescription { return false }
    return (property as? NSRelationshipDescription)?.isToMany != true
  }
}

/// Finds what keeps CloudKit from mirroring a store, as Apple's article "Creating a Core Data Model
/// for CloudKit" and the errors of its framework have it.
struct CloudKitModelCheck {
  private let description: NSPersistentStoreDescription
  private let entities: [NSEntityDescription]

  init(model: NSManagedObjectModel, description: NSPersistentStoreDescription) {
    self.description = description
    entities = model.storedEntities(forConfigurationName: description.configuration) ?? []
  }

  /// An error that names everything that is in the way; `nil` when nothing is.
  var failure: NSError? {
    let problems = problems
    if problems.isEmpty { return nil }
    return CocoaError.coreData(
      NSPersistentStoreIncompatibleSchemaError,
      message:
        "CloudKit cannot mirror \(description.url?.storeName ?? "the store"): \(problems.joined(separator: "; ")).",
      userInfo: [NSLocalizedFailureReasonErrorKey: problems.joined(separator: "\n")]
    )
  }

  private var problems: [String] {
    guard (try? StoreTypes.storeClass(of: description.type)) is any MirrorableStore.Type else {
      return ["only SQLite stores can be mirrored, and this one is of the type \(description.type)"]
    }
    let properties = entities.flatMap(\.ownProperties).filter { !$0.isTransient }
    let attributes = properties.compactMap { $0 as? NSAttributeDescription }
    let relationships = properties.compactMap { $0 as? NSRelationshipDescription }
    let required = attributes.filter { attribute in
      !attribute.isOptional && attribute.defaultValue == nil && !(attribute is NSDerivedAttributeDescription)
    }
    let constrained = entities.filter { !$0.uniquenessConstraints.isEmpty }.compactMap(\.name)
    let untyped = attributes.filter { [.undefinedAttributeType, .objectIDAttributeType].contains($0.attributeType) }
    return [
      problem("attributes must be optional or have a default", offenders: required.map(\.modelPath)),
      problem("attributes must not be of an undefined type or object IDs", offenders: untyped.map(\.modelPath)),
      problem("entities must not have uniqueness constraints", offenders: constrained),
      problem(
        "relationships must be optional",
        offenders: relationships.filter { !$0.isOptional }.map(\.modelPath)
      ),
      problem(
        "relationships must have an inverse",
        offenders: relationships.filter { $0.inverseRelationship == nil }.map(\.modelPath)
      ),
      problem("relationships must not be ordered", offenders: relationships.filter(\.isOrdered).map(\.modelPath)),
      problem(
        "relationships must not have the delete rule Deny",
        offenders: relationships.filter { $0.deleteRule == .denyDeleteRule }.map(\.modelPath)
      ),
    ].compactMap(\.self)
  }

  private func problem(_ rule: String, offenders: [String]) -> String? {
    offenders.isEmpty ? nil : "\(rule) (\(offenders.sorted().joined(separator: ", ")))"
  }
}
