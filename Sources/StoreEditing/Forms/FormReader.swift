import CoreData
import Foundation
import StoreExploration

/// Reads the form of an object. Used on the queue of the session's context.
struct FormReader {
  /// The number of destinations that a form lists.
  private static let listed = 50

  let state: EditingState

  func form(of object: NSManagedObject) throws -> EditingForm {
    let columns = StoreGrid.columns(of: object.entity)
    let relationships = columns.compactMap { object.entity.relationshipsByName[$0.name] }
    return EditingForm(
      link: state.link(object),
      fields: fields(of: object),
      relationships: try relationships.map { try relationship($0, of: object) }
    )
  }

  // MARK: - Values

  func fields(of object: NSManagedObject) -> [EditingField] {
    EntityField.all(of: object.entity).map { field in
      let value = object.value(forKey: field.attribute.name)
      let shown = ShownValue(value: field.value(in: value), attribute: field.leaf)
      let failure = state.context.takeReadFailure().map { ($0 as NSError).localizedDescription }
      return EditingField(
        path: field.path,
        type: field.leaf.shownType,
        access: failure.map { .fixed("The value cannot be read: \($0)") } ?? field.access(shown),
        isOptional: field.leaf.isOptional,
        text: FieldText.text(shown),
        value: shown,
        rules: field.rules,
        bounds: NumberBounds(field.leaf),
        stamp: field.stamp(of: shown)
      )
    }
  }

  // MARK: - Relationships

  private func relationship(_ relationship: NSRelationshipDescription, of object: NSManagedObject) throws
    -> EditingRelationship
  {
    let destinations = StagedDestinations(relationship: relationship, object: object)
    let isLarge = try destinations.areTooMany
    let objects = isLarge ? [] : destinations.all
    var fixed: String?
    if relationship.isTransient { fixed = "The relationship is transient: no store has it." }
    if isLarge { fixed = StagedDestinations.tooManyWords }
    return EditingRelationship(
      name: relationship.name,
      destination: relationship.destinationEntity?.name ?? "",
      isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered,
      isOptional: relationship.isOptional,
      objects: objects.prefix(Self.listed).map(state.link),
      count: isLarge ? StagedDestinations.most : objects.count,
      fixedBecause: fixed
    )
  }
}
