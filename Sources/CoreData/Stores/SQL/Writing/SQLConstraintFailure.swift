import Foundation

/// Describes a row that breaks a uniqueness constraint.
package struct SQLConstraintFailure {
  /// The place of the store, for errors.
  let file: URL

  package init(file: URL) { self.file = file }

  /// The key in the user info of the name of the entity that has the constraint.
  static let entityKey = "NSConstraintEntityName"
  /// The key of the names of the constraint's properties.
  static let constraintKey = "NSConstraint"
  /// The key of the conflicting values, by property.
  static let valuesKey = "NSConstraintValues"

  /// - Parameters:
  ///   - constraint: the violated constraint; `nil` where the database does not report it.
  ///   - row: the values that break the constraint.
  ///   - details: more for the user info.
  package func error(
    _ constraint: SQLConstraint?,
    row: Row?,
    layout: EntityLayout,
    details: [String: Any] = [:]
  ) -> any Error {
    let properties = constraint?.properties ?? []
    var values: [String: Any] = [:]
    for name in properties {
      guard case .slot(let slot) = layout.places[name], let row,
        let type = layout.slots[slot].attribute?.attributeType
      else { continue }
      values[name] = AttributeValue.value(row.value(slot), as: type)
    }
    let description = properties.map { "\($0) = \(DescriptionNode.words(values[$0]))" }.joined(separator: ", ")
    let entity = constraint?.entity.name ?? layout.entity.name ?? ""
    let own: [String: Any] = [
      Self.entityKey: entity, Self.constraintKey: properties, Self.valuesKey: values,
    ]
    return StoreFailure.error(
      NSManagedObjectConstraintMergeError,
      message: """
        \(file.storeName): there is another \(entity) with \(description) already; uniqueness constraints allow one. \
        Change the value, or delete the other object.
        """,
      file: file,
      details: own.merging(details) { own, _ in own }
    )
  }
}

extension SQLConstraint {
  /// The same constraint in the layout of an entity; `nil` where the layout belongs to another entity.
  func layout(in layout: EntityLayout) -> ConstraintLayout? {
    layout.constraints.first { $0.entity === entity && $0.names == properties }
  }
}
