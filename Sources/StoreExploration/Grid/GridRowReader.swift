import CoreData
import Foundation

/// Reads the cells of rows. Used on the queue of the objects' context.
struct GridRowReader {
  private let columns: [GridColumn]
  private let context: NSManagedObjectContext
  private let detail: GridDetail
  private var names = ObjectNames()

  init(columns: [GridColumn], detail: GridDetail, context: NSManagedObjectContext) {
    self.columns = columns
    self.detail = detail
    self.context = context
  }

  /// - Parameter number: the object's position in an ordered relationship; `nil` if there is none.
  mutating func row(of object: NSManagedObject, number: Int? = nil) throws -> GridRow {
    GridRow(
      link: ObjectLink(object: object, names: &names),
      number: number,
      cells: try columns.map { try cell($0, of: object) }
    )
  }

  private mutating func cell(_ column: GridColumn, of object: NSManagedObject) throws -> GridCell {
    switch column.kind {
    case .attribute:
      guard let attribute = object.entity.attributesByName[column.name] else { return .absent }
      let value = object.value(forKey: column.name)
      if let reason = failure() { return .unreadable(reason) }
      return .value(
        detail == .whole
          ? ShownValue(value: value, attribute: attribute)
          : ShownValue(summaryOf: value, attribute: attribute)
      )
    case .toOne:
      guard let destination = object.value(forKey: column.name) as? NSManagedObject else {
        return failure().map { .unreadable($0) } ?? .value(.none)
      }
      let link = ObjectLink(object: destination, names: &names)
      if let reason = failure() { return .unreadable(reason) }
      return .object(detail == .whole ? link : link.detailed(destination, names: &names))
    case .toMany:
      guard let relationship = object.entity.relationshipsByName[column.name] else { return .absent }
      let count = try DestinationCount(relationship, of: object, in: context)
      return .count(count.number, isCapped: count.isCapped)
    }
  }

  /// The reason why the last value could not be read; `nil` if it was read.
  private func failure() -> String? {
    context.takeReadFailure().map { ($0 as NSError).localizedDescription }
  }
}

/// The number of destinations of a to-many relationship, counted up to a limit.
struct DestinationCount {
  let number: Int
  /// True if there may be more.
  let isCapped: Bool

  private init(number: Int, isCapped: Bool) {
    self.number = number
    self.isCapped = isCapped
  }

  init(
    _ relationship: NSRelationshipDescription,
    of object: NSManagedObject,
    in context: NSManagedObjectContext
  ) throws {
    let count = try Destinations(relationship, of: object).first(StoreGrid.countCap + 1).count
    self.init(number: min(count, StoreGrid.countCap), isCapped: count > StoreGrid.countCap)
  }

  /// Counts the objects that a request finds.
  init(_ request: NSFetchRequest<NSManagedObject>, in context: NSManagedObjectContext) throws {
    request.fetchLimit = StoreGrid.countCap + 1
    let count = try context.count(for: request)
    self.init(number: min(count, StoreGrid.countCap), isCapped: count > StoreGrid.countCap)
  }
}
