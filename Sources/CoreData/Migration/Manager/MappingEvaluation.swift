import Foundation
import Predicates

/// Evaluates the expressions of one entity mapping for one object after the other.
struct MappingEvaluation {
  let manager: NSMigrationManager
  let mapping: NSEntityMapping
  let policy: NSEntityMigrationPolicy

  /// Sets the attributes that have a mapping. A required attribute keeps its default where the source has no value.
  func setAttributes(of instance: NSManagedObject, from source: NSManagedObject) throws {
    for property in mapping.attributeMappings ?? [] {
      guard let name = property.name, let expression = property.valueExpression else { continue }
      guard let attribute = instance.entity.attributesByName[name] else {
        throw failure(property, problem: "the entity \(instance.entity.name ?? "") has no such attribute")
      }
      var value = try evaluate(expression, property: property, source: source, destination: instance)
      if let correspondence = Self.compositeCorrespondence(expression, source: source, attribute: attribute) {
        value = correspondence.value(value as? [String: Any])
      }
      if value == nil, !attribute.isOptional { continue }
      guard AttributeValue.stored(value, of: attribute) != nil else {
        throw failure(
          property,
          problem:
            "\(DescriptionNode.words(value)) is not a value of the attribute's type; give it another expression"
        )
      }
      instance.setValue(value, forKey: name)
    }
  }

  /// Sets the relationships that have a mapping.
  func setRelationships(of instance: NSManagedObject, from source: NSManagedObject) throws {
    for property in mapping.relationshipMappings ?? [] {
      guard let name = property.name, let expression = property.valueExpression else { continue }
      guard let relationship = instance.entity.relationshipsByName[name] else {
        throw failure(property, problem: "the entity \(instance.entity.name ?? "") has no such relationship")
      }
      manager.currentRelationship = relationship
      defer { manager.currentRelationship = nil }
      let value = try evaluate(expression, property: property, source: source, destination: instance)
      let objects = try MigrationArguments.objects(value) { failure(property, problem: $0) }
      if relationship.isToMany {
        instance.setValue(NSOrderedSet(array: objects), forKey: name)
      } else {
        instance.setValue(objects.first, forKey: name)
      }
    }
  }

  /// The objects of the source that the mapping is about.
  func sourceInstances() throws -> [NSManagedObject] {
    guard let name = mapping.sourceEntityName, !mapping.mappingType.isOneSided else { return [] }
    guard let expression = mapping.sourceExpression else {
      return try fetch(manager.fetchRequest(forSourceEntityNamed: name, predicateString: "TRUEPREDICATE"))
    }
    let value = try evaluate(expression, property: nil, source: nil, destination: nil)
    if let request = value as? NSFetchRequest<NSFetchRequestResult> { return try fetch(request) }
    return try MigrationArguments.objects(value) { failure(nil, problem: "the source expression: \($0)") }
  }

  private func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [NSManagedObject] {
    guard manager.sourceModel.entitiesByName[request.entityName ?? ""] != nil else {
      throw failure(nil, problem: "the source model has no entity \(request.entityName ?? "")")
    }
    let found = try manager.sourceContext.fetch(request)
    return found.compactMap { $0 as? NSManagedObject }
  }

  private func evaluate(
    _ expression: NSExpression,
    property: NSPropertyMapping?,
    source: NSManagedObject?,
    destination: NSManagedObject?
  ) throws -> Any? {
    if let source, let path = Self.sourcePath(expression), source.entity.propertiesByName[path] != nil {
      return source.value(forKey: path)
    }
    var variables: [String: Any] = [
      NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping,
      NSMigrationEntityPolicyKey: policy,
    ]
    variables[NSMigrationSourceObjectKey] = source
    variables[NSMigrationDestinationObjectKey] = destination
    variables[NSMigrationPropertyMappingKey] = property
    do {
      return try ExpressionEvaluator(expression, variables: variables)(source)
    } catch {
      throw failure(property, problem: "\(expression): \(error.localizedDescription)", error)
    }
  }

  /// The correspondence between the elements of a composite attribute of the source and those of
  /// the destination's attribute, for an expression that takes the attribute over.
  private static func compositeCorrespondence(
    _ expression: NSExpression,
    source: NSManagedObject,
    attribute: NSAttributeDescription
  ) -> CompositeCorrespondence? {
    guard let composite = attribute as? NSCompositeAttributeDescription, let path = sourcePath(expression),
      let former = source.entity.attributesByName[path] as? NSCompositeAttributeDescription
    else { return nil }
    return CompositeCorrespondence(from: former, to: composite)
  }

  /// The key of an expression that is a key of the source, as nearly all are: `$source.title`.
  private static func sourcePath(_ expression: NSExpression) -> String? {
    guard case .function("valueForKeyPath:", let operand?, let arguments) = expression.node,
      case .variable(NSMigrationSourceObjectKey) = operand.node, arguments.count == 1,
      case .keyPath(let path) = arguments[0].node
    else { return nil }
    return path
  }

  private func failure(_ property: NSPropertyMapping?, problem: String, _ underlying: (any Error)? = nil) -> any Error {
    StoreFailure.error(in: mapping, property: property?.name, problem: problem, underlying: underlying)
  }
}

extension NSEntityMappingType {
  /// True when no object of the source becomes one of the destination.
  var isOneSided: Bool { self == .addEntityMappingType || self == .removeEntityMappingType }
}

/// Reads the values that expressions of mappings pass around.
enum MigrationArguments {
  /// The managed objects in a value: none, one, or a collection of them.
  ///
  /// - Throws: the error that the failure closure makes from the reason.
  static func objects(_ value: Any?, _ failure: (String) -> any Error) throws -> [NSManagedObject] {
    let elements: [Any]
    switch value {
    case nil, is NSNull: return []
    case let object as NSManagedObject: return [object]
    case let set as NSSet: elements = set.allObjects
    case let set as NSOrderedSet: elements = set.array
    case let array as [Any?]: elements = array.compactMap(\.self)
    case let value?:
      throw failure("\(DescriptionNode.words(value)) is neither a managed object nor a collection of them")
    }
    // A key path through several to-many relationships may return nested collections.
    return try elements.flatMap { try objects($0, failure) }
  }
}
