/// The variable in expressions of mappings that stands for the ``NSMigrationManager``: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The variable that stands for the object of the source: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The variable that stands for the object of the destination: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable that stands for the ``NSEntityMapping``: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable that stands for the ``NSPropertyMapping``: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable that stands for the ``NSEntityMigrationPolicy``: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// The messages that expressions of mappings send to the manager.
enum MigrationMessage: String {
  case destinations = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  case sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  case destinationsForRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
}
