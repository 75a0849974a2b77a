import Foundation
import GRDB

/// Describes a row that breaks a uniqueness constraint.
struct SQLiteConstraintFailure {
  let schema: SQLSchema
  let file: URL

  /// The key in the user info of the name of the entity that has the constraint.
  static let entityKey = "NSConstraintEntityName"
  /// The key of the names of the constraint's properties.
  static let constraintKey = "NSConstraint"
  /// The key of the values that another object has already, by property.
  static let valuesKey = "NSConstraintValues"

  /// - Parameters:
  ///   - error: SQLite's, which names the columns.
  ///   - change: the object whose row it is.
  func error(_ error: DatabaseError, _ change: ObjectChange) -> any Error {
    self.error(error, change.row, change.layout)
  }

  /// - Parameters:
  ///   - error: SQLite's, which names the columns.
  ///   - row: the values that break the constraint.
  func error(_ error: DatabaseError, _ row: Row?, _ layout: EntityLayout) -> any Error {
    let constraint = constraint(named: error.message ?? "")
    let properties = constraint?.properties ?? []
    var values: [String: Any] = [:]
    for name in properties {
      guard case .slot(let slot) = layout.places[name], let row,
        let type = layout.slots[slot].attribute?.attributeType
      else { continue }
      values[name] = AttributeValue.value(row.value(slot), as: type)
    }
    let description = properties.map { "\($0) = \(DescriptionNode.words(values[$0]))" }.joined(
      separator: ", "
    )
    let entity = constraint?.entity.name ?? layout.entity.name ?? ""
    return StoreFailure.error(
      NSManagedObjectConstraintMergeError,
      """
      \(file.path): there is another \(entity) with \(description) already; uniqueness constraints allow one. \
      Change the value, or delete the other object.
      """,
      file: file,
      details: [
        Self.entityKey: entity, Self.constraintKey: properties, Self.valuesKey: values,
        NSSQLiteErrorDomain: Int(error.extendedResultCode.rawValue),
      ]
    )
  }

  /// The model's constraint that SQLite's error is about.
  func constraint(_ error: DatabaseError, _ change: ObjectChange) -> ConstraintLayout? {
    guard let broken = constraint(named: error.message ?? "") else { return nil }
    return change.layout.constraints.first { $0.entity === broken.entity && $0.names == broken.properties }
  }

  /// SQLite says `UNIQUE constraint failed: ZPERSON.ZFIRSTNAME, ZPERSON.ZLASTNAME`.
  private func constraint(named message: String) -> SQLConstraint? {
    let names = message.split(separator: ":").last.map { part in
      part.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).uppercased() }
    }
    return schema.constraints.first { constraint in
      names == constraint.columns.map { "\(constraint.table).\($0)".uppercased() }
    }
  }
}
