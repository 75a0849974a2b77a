public import Foundation

/// Perennial's own: what is saved of one object, as
/// ``NSManagedObjectContext/forEachSavedValues(of:attributes:_:)`` gives it.
///
/// An attribute is identified by its position in the requested list. Each attribute is read by the method for its type.
/// ``values`` has all of them as key-value coding returns them, which takes several times as long.
///
/// ```swift
/// let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
/// var total = 0.0
/// try context.forEachSavedValues(of: request, attributes: ["rating"]) { note in
///   total += Double(note.int64(at: 0) ?? 0)
/// }
/// ```
public struct SavedValues {
  /// The number in the object's ID: ``NSManagedObjectID/primaryKey``.
  public let primaryKey: Int64
  private let row: Row
  private let columns: Columns

  /// The attributes that were asked for, in the rows of one entity.
  fileprivate final class Columns {
    let layout: EntityLayout
    let entity: NSEntityDescription
    let slots: [Int]

    init(_ names: [String], of layout: EntityLayout) {
      self.layout = layout
      entity = layout.entity
      slots = layout.slots(of: names)
    }

    func slot(_ index: Int) -> Int {
      if slots.indices.contains(index) { return slots[index] }
      fatalError(
        """
        no attribute was asked for at \(index): there are \(slots.count), counted from 0; name it in \
        forEachSavedValues(of:attributes:_:), too.
        """
      )
    }
  }

  fileprivate init(row: Row, key: Int64, columns: Columns) {
    self.row = row
    primaryKey = key
    self.columns = columns
  }

  /// The object's own entity.
  public var entity: NSEntityDescription { columns.entity }

  /// The values of the attributes, in the order in which they were asked for, as `value(forKey:)` gives them.
  public var values: [Any?] { columns.slots.indices.map(value) }

  /// The value of an attribute as `value(forKey:)` gives it; `nil` for none.
  ///
  /// - Parameter index: the position of the attribute in the requested list.
  public func value(at index: Int) -> Any? {
    let slot = columns.slot(index)
    let type = columns.layout.slots[slot].attribute?.attributeType ?? .undefinedAttributeType
    return AttributeValue.value(row.value(slot), as: type)
  }

  /// The value of an integer attribute of any size; `nil` for none.
  ///
  /// - Parameter index: the position of the attribute in the requested list. It is a programmer's
  ///   error to name an attribute of another type here, as in the methods below.
  public func int64(at index: Int) -> Int64? { read(index, kind: .integer, method: "int64") }

  /// The value of a Boolean attribute; `nil` for none.
  public func bool(at index: Int) -> Bool? {
    let number: Int64? = read(index, kind: .integer, method: "bool")
    return number.map { $0 != 0 }
  }

  /// The value of an attribute of the type double or float; `nil` for none.
  public func double(at index: Int) -> Double? { read(index, kind: .real, method: "double") }

  /// The value of a date attribute; `nil` for none.
  public func date(at index: Int) -> Date? {
    let seconds: Double? = read(index, kind: .real, method: "date")
    return seconds.map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The value of a string attribute; `nil` for none.
  public func string(at index: Int) -> String? { read(index, kind: .text, method: "string") }

  /// The value of a binary data attribute; `nil` for none.
  public func data(at index: Int) -> Data? { read(index, kind: .data, method: "data") }

  /// The value of a UUID attribute; `nil` for none.
  public func uuid(at index: Int) -> UUID? { read(index, kind: .uuid, method: "uuid") }

  /// The value of a decimal attribute; `nil` for none.
  public func decimal(at index: Int) -> Decimal? { read(index, kind: .decimal, method: "decimal") }

  @inline(__always)
  private func read<Value>(_ index: Int, kind: SlotKind, method: StaticString) -> Value? {
    let slot = columns.slot(index)
    let layout = columns.layout
    guard layout.kind(slot) == kind else { fail(slot, method: method) }
    guard EntityLayout.hasValue(row.base, slot: slot) else { return nil }
    return (row.base + layout.offset(slot)).assumingMemoryBound(to: Value.self).pointee
  }

  private func fail(_ slot: Int, method: StaticString) -> Never {
    let shape = columns.layout.slots[slot]
    let remedy =
      switch shape.kind {
      case .integer: "int64(at:) or bool(at:)"
      case .real: "double(at:) or date(at:)"
      case .text: "string(at:)"
      case .data: "data(at:)"
      case .uuid: "uuid(at:)"
      case .decimal: "decimal(at:)"
      case .object, .reference: "value(at:)"
      }
    fatalError("\(shape.attribute?.modelPath ?? shape.name) cannot be read by \(method)(at:); read it by \(remedy).")
  }
}

/// The places in rows of the attributes that are asked for.
struct SavedColumns {
  private let names: [String]
  /// The columns in the rows of the entity that was met last.
  private var found: SavedValues.Columns?

  /// - Throws: an error that names the attribute that the entity does not have, or does not keep.
  init(_ names: [String], of entity: NSEntityDescription) throws {
    for name in names {
      guard let attribute = entity.attributesByName[name], !attribute.isTransient else {
        throw StoreFailure.operation(
          """
          \(name) is not an attribute that \(entity.name ?? "") keeps; those are \
          \(entity.attributesByName.filter { !$1.isTransient }.keys.sorted().joined(separator: ", ")).
          """
        )
      }
    }
    self.names = names
  }

  /// - Throws: the error for which one of the values could not be read.
  mutating func values(of row: Row, key: Int64, layout: EntityLayout) throws -> SavedValues {
    let columns: SavedValues.Columns
    if let found, found.layout === layout {
      columns = found
    } else {
      columns = SavedValues.Columns(names, of: layout)
      found = columns
    }
    if row.slab.hasFailures { try row.requireReadable(columns.slots) }
    return SavedValues(row: row, key: key, columns: columns)
  }
}

extension EntityLayout {
  /// The slots that rows of the entity have for the attributes and to-one relationships of these names.
  func slots(of names: [String]) -> [Int] {
    names.compactMap { name in
      if case .slot(let slot)? = places[name] { slot } else { nil }
    }
  }
}
