import Foundation
import ModelFormats
import Predicates

/// Makes the mapping model of a lightweight migration, for a store that is migrated object by
/// object and for an application that asks for one.
struct MappingInference {
  private let migration: LightweightMigration
  private var source: NSManagedObjectModel { migration.source }
  private var destination: NSManagedObjectModel { migration.destination }
  private var correspondence: ModelCorrespondence { migration.correspondence }

  init(_ migration: LightweightMigration) { self.migration = migration }

  func mappingModel() -> NSMappingModel {
    let model = NSMappingModel()
    model.inference = migration
    let entities = destination.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
    let matched = Set(correspondence.entities.values)
    let removed = source.entitiesByName.filter { !matched.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
    model.entityMappings = entities.map(mapping) + removed.map(removal)
    return model
  }

  private func mapping(to entity: NSEntityDescription) -> NSEntityMapping {
    let name = entity.name ?? ""
    let mapping = NSEntityMapping()
    mapping.destinationEntityName = name
    mapping.destinationEntityVersionHash = destination.entityVersionHashesByName[name]
    guard let formerName = correspondence.entities[name], let former = source.entitiesByName[formerName]
    else {
      mapping.name = "IEM_Add_\(name)"
      mapping.mappingType = .addEntityMappingType
      return mapping
    }
    mapping.sourceEntityName = formerName
    mapping.sourceEntityVersionHash = source.entityVersionHashesByName[formerName]
    let isSame = mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash
    mapping.name = "\(isSame ? "IEM_Copy_" : "IEM_Transform_")\(name)"
    mapping.mappingType = isSame ? .copyEntityMappingType : .transformEntityMappingType
    mapping.sourceExpression = Self.fetch(formerName)
    setProperties(of: mapping, from: former, to: entity)
    return mapping
  }

  private func removal(of entity: NSEntityDescription) -> NSEntityMapping {
    let name = entity.name ?? ""
    let mapping = NSEntityMapping()
    mapping.name = "IEM_Remove_\(name)"
    mapping.mappingType = .removeEntityMappingType
    mapping.sourceEntityName = name
    mapping.sourceEntityVersionHash = source.entityVersionHashesByName[name]
    return mapping
  }

  private func setProperties(
    of mapping: NSEntityMapping,
    from former: NSEntityDescription,
    to entity: NSEntityDescription
  ) {
    let names = correspondence.properties(of: entity.name ?? "")
    let properties = entity.propertiesByName.values.filter(\.isMigrated).sorted { $0.name < $1.name }
    let formerProperties = former.propertiesByName.filter { $0.value.isMigrated }
    var relationships: [NSPropertyMapping] = []
    var attributes: [NSPropertyMapping] = []
    var added: Set<String> = []
    for property in properties {
      let propertyMapping = NSPropertyMapping()
      propertyMapping.name = property.name
      let formerName = names[property.name].flatMap { formerProperties[$0]?.name }
      if formerName == nil { added.insert(property.name) }
      if property is NSRelationshipDescription {
        propertyMapping.valueExpression = formerName.map(Self.destinations)
        relationships.append(propertyMapping)
      } else {
        propertyMapping.valueExpression = formerName.map(Self.sourceValue)
        attributes.append(propertyMapping)
      }
    }
    mapping.attributeMappings = attributes
    mapping.relationshipMappings = relationships
    mapping.userInfo = [
      "mappedProperties": Set(properties.map(\.name)).subtracting(added),
      "addedProperties": added,
      "removedProperties": Set(formerProperties.keys).subtracting(names.values),
    ]
  }

  // MARK: - Expressions

  private static func variable(_ name: String) -> NSExpression { NSExpression(forVariable: name) }

  /// `$source.name`
  private static func sourceValue(_ name: String) -> NSExpression {
    NSExpression(
      forFunction: variable(NSMigrationSourceObjectKey),
      selectorName: "valueForKeyPath:",
      arguments: [NSExpression(forKeyPath: name)]
    )
  }

  private static func destinations(_ name: String) -> NSExpression {
    NSExpression(
      forFunction: variable(NSMigrationManagerKey),
      selectorName: MigrationMessage.destinationsForRelationship.rawValue,
      arguments: [NSExpression(forConstantValue: name), sourceValue(name)]
    )
  }

  private static func fetch(_ entity: String) -> NSExpression {
    let request = NSExpression(
      forFunction: variable(NSMigrationManagerKey),
      selectorName: MigrationMessage.fetchRequest.rawValue,
      arguments: [NSExpression(forConstantValue: entity), NSExpression(forConstantValue: "TRUEPREDICATE")]
    )
    let context = NSExpression(
      forFunction: variable(NSMigrationManagerKey),
      selectorName: "valueForKeyPath:",
      arguments: [NSExpression(forKeyPath: "sourceContext")]
    )
    return NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: false)
  }
}

extension NSPropertyDescription {
  /// True when stores keep the property, so that a migration carries it over.
  var isMigrated: Bool { !isTransient && !(self is NSFetchedPropertyDescription) }
}
