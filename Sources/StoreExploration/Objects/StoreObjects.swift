package import CoreData
import Foundation

/// Answers what one object has: its values in full, and its relationships in both directions.
package struct StoreObjects: Sendable {
  /// The number of objects of a relationship that a page lists.
  package static let listed = 20
  let explored: ExploredStore

  package init(_ explored: ExploredStore) { self.explored = explored }

  /// The page of an object.
  ///
  /// - Throws: `noSuchObject`, `unknownName`, or the store's error.
  package func page(of entity: String, key: Int64, within limit: Duration) async throws -> ObjectPage {
    let explored = explored
    return try await explored.read(within: limit) { context in
      try Self.page(try explored.object(try explored.entity(entity), key, in: context), explored, context)
    }
  }

  /// The link to an object that the store has.
  ///
  /// - Throws: `noSuchObject`, `unknownName`, or the store's error.
  package func link(to entity: String, key: Int64, within limit: Duration) async throws -> ObjectLink {
    let explored = explored
    return try await explored.read(within: limit) { context in
      var names = ObjectNames()
      return ObjectLink(try explored.object(try explored.entity(entity), key, in: context), &names)
    }
  }

  /// The bytes of one value: those of data as they are, of a text in UTF-8.
  ///
  /// - Returns: `nil` where there is no value.
  /// - Throws: `unsuitableProperty` for a value that is neither.
  package func bytes(
    of attribute: String,
    _ entity: String,
    key: Int64,
    within limit: Duration
  ) async throws -> Data? {
    let explored = explored
    return try await explored.read(within: limit) { context in
      let object = try explored.object(try explored.entity(entity), key, in: context)
      guard let description = object.entity.attributesByName[attribute] else {
        throw ExplorationFailure(
          .unknownName,
          "\(entity) has no attribute \(attribute)",
          remedy: "choose one of its attributes"
        )
      }
      switch ShownValue(object.value(forKey: attribute), description) {
      case .none: return nil
      case .data(let data, _): return data
      case .text(let text): return Data(text.utf8)
      default:
        throw ExplorationFailure(
          .unsuitableProperty,
          "\(entity).\(attribute) is neither data nor a text",
          remedy: "read the value on the page of the object"
        )
      }
    }
  }

  private static func page(
    _ object: NSManagedObject,
    _ explored: ExploredStore,
    _ context: NSManagedObjectContext
  ) throws -> ObjectPage {
    var names = ObjectNames()
    let entity = object.entity
    let link = ObjectLink(object, &names)
    let attributes = StoreGrid.columns(of: entity).compactMap { entity.attributesByName[$0.name] }
      .map { attribute(of: object, $0, context) }
    let relationships = try StoreGrid.columns(of: entity).compactMap { entity.relationshipsByName[$0.name] }
      .map { try related(object, $0, &names, context) }
    return ObjectPage(
      link: link,
      address: object.objectID.uriRepresentation().absoluteString,
      lineage: lineage(of: entity).reversed(),
      attributes: attributes,
      relationships: relationships,
      references: try references(to: object, explored.model, &names, context)
    )
  }

  private static func lineage(of entity: NSEntityDescription) -> [String] {
    [entity.name ?? ""] + (entity.superentity.map(lineage) ?? [])
  }

  private static func attribute(
    of object: NSManagedObject,
    _ attribute: NSAttributeDescription,
    _ context: NSManagedObjectContext
  ) -> ObjectPage.Attribute {
    let value = object.value(forKey: attribute.name)
    return ObjectPage.Attribute(
      name: attribute.name,
      type: attribute.shownType,
      value: ShownValue(value, attribute),
      failure: failure(context),
      isTransient: attribute.isTransient,
      isDerived: attribute is NSDerivedAttributeDescription
    )
  }

  private static func failure(_ context: NSManagedObjectContext) -> String? {
    do {
      try context.throwReadFailure()
      return nil
    } catch {
      return (error as NSError).localizedDescription
    }
  }

  private static func related(
    _ object: NSManagedObject,
    _ relationship: NSRelationshipDescription,
    _ names: inout ObjectNames,
    _ context: NSManagedObjectContext
  ) throws -> ObjectPage.Related {
    var links: [ObjectLink] = []
    var (count, isCapped) = (0, false)
    if !relationship.isToMany {
      if let destination = object.value(forKey: relationship.name) as? NSManagedObject {
        links = [ObjectLink(destination, &names)]
        count = 1
      }
    } else {
      let ids = try Destinations(relationship, of: object).first(StoreGrid.countCap + 1)
      (count, isCapped) = (min(ids.count, StoreGrid.countCap), ids.count > StoreGrid.countCap)
      links = try ids.prefix(listed).map { try link(to: $0, &names, context) }
    }
    let failure = failure(context)
    return ObjectPage.Related(
      name: relationship.name,
      owner: relationship.entity.name ?? "",
      entity: relationship.destinationEntity?.name ?? "",
      inverse: relationship.inverseRelationship?.name,
      isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered,
      deleteRule: relationship.shownDeleteRule,
      count: count,
      isCapped: isCapped,
      objects: distinguished(links, of: relationship, &names, context),
      failure: failure
    )
  }

  /// The links with what tells those of one name apart. The name of a single destination may be that of many objects.
  private static func distinguished(
    _ links: [ObjectLink],
    of relationship: NSRelationshipDescription,
    _ names: inout ObjectNames,
    _ context: NSManagedObjectContext
  ) -> [ObjectLink] {
    let counts = Dictionary(links.map { ($0.name, 1) }, uniquingKeysWith: +)
    return links.map { link in
      guard !relationship.isToMany || counts[link.name, default: 0] > 1,
        let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[link.entity],
        let id = context.persistentStoreCoordinator?.objectID(of: entity, key: link.key),
        let object = try? context.existingObject(with: id)
      else { return link }
      return link.detailed(object, &names)
    }
  }

  /// The link to a destination; by its key alone where somebody has deleted it meanwhile, or where the store is
  /// damaged.
  private static func link(
    to id: NSManagedObjectID,
    _ names: inout ObjectNames,
    _ context: NSManagedObjectContext
  ) throws -> ObjectLink {
    do {
      return ObjectLink(try context.existingObject(with: id), &names)
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return ObjectLink(entity: id.entity.name ?? "", key: id.key)
    }
  }

  /// The relationships of the model that lead to an object and have no inverse by which it knows.
  private static func references(
    to object: NSManagedObject,
    _ model: NSManagedObjectModel,
    _ names: inout ObjectNames,
    _ context: NSManagedObjectContext
  ) throws -> [ObjectPage.Related] {
    var found: [ObjectPage.Related] = []
    for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
      for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
        guard relationship.inverseRelationship == nil, !relationship.isTransient,
          entity.superentity?.relationshipsByName[relationship.name] == nil,
          let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination)
        else { continue }
        let predicate = Destinations.predicate(leadingTo: object, by: relationship)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.predicate = predicate
        let total = try DestinationCount(request, in: context)
        found.append(
          ObjectPage.Related(
            name: relationship.name,
            owner: entity.name ?? "",
            entity: entity.name ?? "",
            inverse: nil,
            isToMany: true,
            isOrdered: false,
            deleteRule: relationship.shownDeleteRule,
            count: total.number,
            isCapped: total.isCapped,
            objects: try first(of: entity, predicate, context).map { ObjectLink($0, &names) },
            failure: nil
          )
        )
      }
    }
    return found
  }

  private static func first(
    of entity: NSEntityDescription?,
    _ predicate: NSPredicate,
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity?.name ?? "")
    request.predicate = predicate
    request.fetchLimit = listed
    return try context.fetch(request, in: KeySpan())
  }
}

extension NSRelationshipDescription {
  /// The delete rule in the words of the model editor.
  package var shownDeleteRule: String {
    switch deleteRule {
    case .nullifyDeleteRule: "Nullify"
    case .cascadeDeleteRule: "Cascade"
    case .denyDeleteRule: "Deny"
    default: "No Action"
    }
  }
}
