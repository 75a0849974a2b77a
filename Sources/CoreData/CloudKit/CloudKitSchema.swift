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

  /// A to-many relationship is told by the records at its other side, or by records of its own.
  private func isField(_ property: NSPropertyDescription) -> Bool {
    if property.isTransient || property is NSFetchedPropertyDescription { return false }
    return (property as? NSRelationshipDescription)?.isToMany != true
  }
}
