package import CoreData
import Foundation

/// Reads one object: its complete values, and its relationships in both directions.
package struct StoreObjects: Sendable {
  /// The number of related objects that a page lists for each relationship.
  package static let listed = 20
  let explored: ExploredStore

  package init(_ explored: ExploredStore) { self.explored = explored }

  /// The page of an object.
  ///
  /// - Throws: `noSuchObject`, `unknownName`, or the store's error.
  package func page(of entity: String, key: Int64, within limit: Duration) async throws -> ObjectPage {
    let explored = explored
    return try await explored.read(within: limit) { context in
      try Self.page(
        try explored.object(try explored.entity(entity), key: key, in: context),
        explored: explored,
        context: context
      )
    }
  }

  /// The link to an object of the store.
  ///
  /// - Throws: `noSuchObject`, `unknownName`, or the store's error.
  package func link(to entity: String, key: Int64, within limit: Duration) async throws -> ObjectLink {
    let explored = explored
    return try await explored.read(within: limit) { context in
      var names = ObjectNames()
      return ObjectLink(object: try explored.object(try explored.entity(entity), key: key, in: context), names: &names)
    }
  }

  /// The bytes of one value: data, or a text in UTF-8.
  ///
  /// - Parameter attribute: the name of an attribute. For an element of a composite attribute, each element's
  ///   name follows after a dot.
  /// - Returns: `nil` if there is no value.
  /// - Throws: `unknownName`, and `unsuitableProperty` if the value is neither data nor a text.
  package func bytes(
    of attribute: String,
    entity: String,
    key: Int64,
    within limit: Duration
  ) async throws -> (bytes: Data, isText: Bool)? {
    let explored = explored
    return try await explored.read(within: limit) { context in
      let object = try explored.object(try explored.entity(entity), key: key, in: context)
      let isWhole = object.entity.attributesByName[attribute] != nil
      let names =
        isWhole
        ? [attribute] : attribute.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let unknown = ExplorationFailure(
        code: .unknownName,
        problem: "\(entity) has no attribute \(attribute)",
        remedy: "choose one of its attributes"
      )
      guard let name = names.first, let description = object.entity.attributesByName[name] else { throw unknown }
      var value = ShownValue(value: object.value(forKey: name), attribute: description)
      for name in names.dropFirst() {
        guard case .fields(let fields) = value, let field = fields.first(where: { $0.name == name }) else {
          throw unknown
        }
        value = field.value
      }
      switch value {
      case .none: return nil
      case .data(let data, _): return (data, isText: false)
      case .text(let text): return (Data(text.utf8), isText: true)
      default:
        throw ExplorationFailure(
          code: .unsuitableProperty,
          problem: "\(entity).\(attribute) is neither data nor a text",
          remedy: "read the value on the page of the object"
        )
      }
    }
  }

  private static func page(
    _ object: NSManagedObject,
    explored: ExploredStore,
    context: NSManagedObjectContext
  ) throws -> ObjectPage {
    var names = ObjectNames()
    let entity = object.entity
    let link = ObjectLink(object: object, names: &names)
    let attributes = StoreGrid.columns(of: entity).compactMap { entity.attributesByName[$0.name] }
      .map { attribute(of: object, attribute: $0, context: context) }
    let relationships = try StoreGrid.columns(of: entity).compactMap { entity.relationshipsByName[$0.name] }
      .map { try related(object, relationship: $0, names: &names, context: context) }
    return ObjectPage(
      link: link,
      address: object.objectID.uriRepresentation().absoluteString,
      lineage: lineage(of: entity).reversed(),
      attributes: attributes,
      relationships: relationships,
      references: try references(to: object, model: explored.model, names: &names, context: context)
    )
  }

  private static func lineage(of entity: NSEntityDescription) -> [String] {
    [entity.name ?? ""] + (entity.superentity.map(lineage) ?? [])
  }

  private static func attribute(
    of object: NSManagedObject,
    attribute: NSAttributeDescription,
    context: NSManagedObjectContext
  ) -> ObjectPage.Attribute {
    let value = object.value(forKey: attribute.name)
    return ObjectPage.Attribute(
      name: attribute.name,
      type: attribute.shownType,
      value: ShownValue(value: value, attribute: attribute),
      failure: failure(context),
      isTransient: attribute.isTransient,
      isDerived: attribute is NSDerivedAttributeDescription
    )
  }

  private static func failure(_ context: NSManagedObjectContext) -> String? {
    context.takeReadFailure().map { ($0 as NSError).localizedDescription }
  }

  private static func related(
    _ object: NSManagedObject,
    relationship: NSRelationshipDescription,
    names: inout ObjectNames,
    context: NSManagedObjectContext
  ) throws -> ObjectPage.Related {
    var links: [ObjectLink] = []
    var (count, isCapped) = (0, false)
    if !relationship.isToMany {
      if let destination = object.value(forKey: relationship.name) as? NSManagedObject {
        links = [ObjectLink(object: destination, names: &names)]
        count = 1
      }
    } else {
      let ids = try Destinations(relationship, of: object).first(StoreGrid.countCap + 1)
      (count, isCapped) = (min(ids.count, StoreGrid.countCap), ids.count > StoreGrid.countCap)
      links = try ids.prefix(listed).map { try link(to: $0, names: &names, context: context) }
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
      objects: distinguished(links, of: relationship, names: &names, context: context),
      failure: failure
    )
  }

  /// Adds distinguishing values to links with the same name, and to single destinations, whose name others may share.
  private static func distinguished(
    _ links: [ObjectLink],
    of relationship: NSRelationshipDescription,
    names: inout ObjectNames,
    context: NSManagedObjectContext
  ) -> [ObjectLink] {
    let counts = Dictionary(links.map { ($0.name, 1) }, uniquingKeysWith: +)
    return links.map { link in
      guard !relationship.isToMany || counts[link.name, default: 0] > 1,
        let entity = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[link.entity],
        let id = context.persistentStoreCoordinator?.objectID(of: entity, key: link.key),
        let object = try? context.existingObject(with: id)
      else { return link }
      return link.detailed(object, names: &names)
    }
  }

  /// The link to a destination. It has only the key if another process has deleted the object in the
  /// meantime, or the store is damaged.
  private static func link(
    to id: NSManagedObjectID,
    names: inout ObjectNames,
    context: NSManagedObjectContext
  ) throws -> ObjectLink {
    do {
      return ObjectLink(object: try context.existingObject(with: id), names: &names)
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return ObjectLink(entity: id.entity.name ?? "", key: id.key)
    }
  }

  /// The relationships that lead to an object and do not have an inverse.
  private static func references(
    to object: NSManagedObject,
    model: NSManagedObjectModel,
    names: inout ObjectNames,
    context: NSManagedObjectContext
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
            objects: try first(of: entity, predicate: predicate, context: context).map {
              ObjectLink(object: $0, names: &names)
            },
            failure: nil
          )
        )
      }
    }
    return found
  }

  private static func first(
    of entity: NSEntityDescription?,
    predicate: NSPredicate,
    context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity?.name ?? "")
    request.predicate = predicate
    request.fetchLimit = listed
    return try context.fetch(request, in: KeySpan())
  }
}

extension NSRelationshipDescription {
  /// The delete rule's name in the model editor.
  package var shownDeleteRule: String {
    switch deleteRule {
    case .nullifyDeleteRule: "Nullify"
    case .cascadeDeleteRule: "Cascade"
    case .denyDeleteRule: "Deny"
    default: "No Action"
    }
  }
}
