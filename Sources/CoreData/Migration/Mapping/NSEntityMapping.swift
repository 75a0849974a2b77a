public import Foundation
public import Predicates

/// A mapping by which the objects of one entity become those of another in a migration.
///
/// Apple's documentation of `NSEntityMapping`.
open class NSEntityMapping: NSObject {
  /// The name, unique in the mapping model. Inferred mappings are called `IEM_Copy_Note` and the like.
  open var name: String! = ""

  /// The kind of the mapping, which determines what happens to the objects.
  open var mappingType = NSEntityMappingType.undefinedEntityMappingType

  /// The entity of the source; `nil` for a new entity.
  open var sourceEntityName: String?

  /// The version hash of the entity of the source.
  open var sourceEntityVersionHash: Data?

  /// The entity of the destination; `nil` for one that is gone.
  open var destinationEntityName: String?

  /// The version hash of the entity of the destination.
  open var destinationEntityVersionHash: Data?

  /// The mappings by which the attributes of the destination get their values.
  open var attributeMappings: [NSPropertyMapping]?

  /// The mappings by which the relationships of the destination get their objects.
  open var relationshipMappings: [NSPropertyMapping]?

  /// Finds the objects of the source: `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:",
  /// "Note", "TRUEPREDICATE"), $manager.sourceContext, NO)`, an expression whose value is such a request, or any other
  /// whose value is the objects. Without one all objects of the source entity are taken, those of its subentities
  /// excepted.
  open var sourceExpression: Predicates.NSExpression?

  /// Words of the mapping's author. An inferred mapping has the names of properties here, each a `Set<String>`:
  /// `mappedProperties` and `addedProperties` of the destination, `removedProperties` of the source.
  open var userInfo: [AnyHashable: Any]?

  /// The name of a subclass of ``NSEntityMigrationPolicy``, with its module. Without one the policy
  /// is ``NSEntityMigrationPolicy`` itself.
  ///
  /// ```swift
  /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: model)
  /// for entity in mapping.entityMappings where entity.destinationEntityName == "Note" {
  ///   entity.mappingType = .customEntityMappingType
  ///   entity.entityMigrationPolicyClassName = NSStringFromClass(LanguagePolicy.self)
  /// }
  /// let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: model)
  /// manager.usesStoreSpecificMigrationManager = false  // which has no policies
  /// ```
  open var entityMigrationPolicyClassName: String?

  /// Mappings are equal when they say the same, in all of their properties.
  ///
  /// Two copies of one mapping model that are read from its file have equal mappings. Because a mapping can be edited,
  /// the program must not change it while it is in a set or the key of a dictionary.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityMapping else { return false }
    return self === other
      || isOfSameEntities(as: other) && MappingEquality.holds(attributeMappings, and: other.attributeMappings)
        && MappingEquality.holds(relationshipMappings, and: other.relationshipMappings)
        && MappingEquality.holds(userInfo, and: other.userInfo)
  }

  /// Returns true when both mappings have the same name, entities, policy and source.
  final func isOfSameEntities(as other: NSEntityMapping) -> Bool {
    name == other.name && mappingType == other.mappingType && sourceEntityName == other.sourceEntityName
      && sourceEntityVersionHash == other.sourceEntityVersionHash
      && destinationEntityName == other.destinationEntityName
      && destinationEntityVersionHash == other.destinationEntityVersionHash
      && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
      && sourceExpression == other.sourceExpression
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(sourceEntityName)
    hasher.combine(destinationEntityName)
    return hasher.finalize()
  }

  open override var description: String { describe() }
}

extension StoreFailure {
  /// Makes the error of what went wrong in one mapping.
  static func error(
    _ code: Int = NSMigrationError,
    in mapping: NSEntityMapping,
    property: String? = nil,
    problem: String,
    underlying: (any Error)? = nil
  ) -> NSError {
    let place = property.map { ", property \($0)" } ?? ""
    var userInfo: [String: Any] = ["entityMapping": mapping.name ?? "", "reason": problem]
    userInfo["entity"] = mapping.destinationEntityName ?? mapping.sourceEntityName
    userInfo["property"] = property
    userInfo[NSUnderlyingErrorKey] = underlying
    return error(code, message: "the mapping \(mapping.name ?? "")\(place): \(problem)", details: userInfo)
  }
}

/// The kinds of entity mappings, by what becomes of the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
  /// Unspecified: the mapping's expressions determine what happens.
  case undefinedEntityMappingType = 0
  /// A migration policy decides.
  case customEntityMappingType = 1
  /// The entity is new: no objects of the source become objects of it.
  case addEntityMappingType = 2
  /// The entity is gone: its objects are not migrated.
  case removeEntityMappingType = 3
  /// The entity is the same in both versions.
  case copyEntityMappingType = 4
  /// The entity has changed: each object becomes one, its properties found by expressions.
  case transformEntityMappingType = 5
}

/// A mapping by which the value of one property of the destination is found in a migration.
///
/// Apple's documentation of `NSPropertyMapping`.
open class NSPropertyMapping: NSObject {
  /// The name of the property in the destination.
  open var name: String?

  /// The value. In addition to the key paths of the source (`$source.title`) it may use the variables that the
  /// `NSMigration…Key` constants name. Without one the property stays as it is in a new object.
  open var valueExpression: Predicates.NSExpression?

  /// Words of the mapping's author.
  open var userInfo: [AnyHashable: Any]?

  /// Mappings are equal when they have the same name, expression and user info.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    return self === other
      || name == other.name && valueExpression == other.valueExpression
        && MappingEquality.holds(userInfo, and: other.userInfo)
  }

  open override var hash: Int { name.hashValue }

  open override var description: String { describe() }
}

/// The variable for the ``NSMigrationManager`` in expressions of mappings: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The variable for the object of the source: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The variable for the object of the destination: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable for the ``NSEntityMapping``: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable for the ``NSPropertyMapping``: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable for the ``NSEntityMigrationPolicy``: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// The messages that expressions of mappings send to the manager.
enum MigrationMessage: String {
  case destinations = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  case sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  case destinationsForRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  case fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"
}
