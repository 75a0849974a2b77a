import Foundation

/// Decodes the rows of a query straight from the database's own form into slabs.
///
/// A store of another target has its rows decoded without dynamic calls, since what is done for each value is inlinable.
@usableFromInline
package struct SQLRowReader<Source: SQLResultRow> {
  @usableFromInline let context: SQLReader
  @usableFromInline let plan: SQLRowPlan
  /// The slab of the rows of the first shape, which most often is the only one.
  private var firstSlab: RowSlab?
  private var furtherSlabs: [RowSlab?]
  private let capacity: Int

  /// - Parameters:
  ///   - context: what is known of the store.
  ///   - capacity: the number of rows that a slab holds.
  init(_ context: SQLReader, plan: SQLRowPlan, capacity: Int = RowSlab.rowsPerFetchedSlab) {
    self.context = context
    self.plan = plan
    self.capacity = capacity
    let furtherCount = plan.shapes.count - 1
    furtherSlabs = furtherCount > 0 ? [RowSlab?](repeating: nil, count: furtherCount) : []
  }

  /// The object of a row.
  ///
  /// A value that does not have the model's type fails alone, with an error that names table, column and key.
  ///
  /// It is inlined, because a call where the type of the row is unknown looks up the type of the reader for each row.
  ///
  /// - Throws: an error when the row is of none of the entities that were asked for.
  @inline(__always)
  mutating func read(_ source: Source) throws -> FetchedRow { try source.decode(by: &self) }

  /// What `read(_:)` does, compiled for the type of the row in the target that has it.
  @inlinable
  package mutating func decode(_ source: Source) throws -> FetchedRow {
    let key = source.number(0)
    let index = try shapeIndex(source, key: key)
    // Not retained for each row: the plan has it.
    unowned(unsafe) let shape = plan.shapes[index]
    let row = newRow(index)
    let base = row.base
    row.version = source.number(1)
    if shape.hasTransientDefaults { row.setTransientDefaults() }
    for field in shape.fields {
      if case .integer = field.content, let value = source.exactInteger(field.column) {
        (base + field.offset).storeBytes(of: value, as: Int64.self)
        EntityLayout.markValue(base, slot: field.slot)
        continue
      }
      guard let cell = source.cell(field.column) else { continue }
      if read(cell, field: field, into: base) { continue }
      convert(cell, field: field, into: row, source: source, shape: shape, key: key)
    }
    if shape.hasComposites { readComposites(into: row, source: source, shape: shape, key: key) }
    return FetchedRow(key: key, store: context.store, layout: shape.layout, row: row)
  }

  /// A row without values, in the slab of a shape.
  @usableFromInline
  @inline(__always)
  mutating func newRow(_ index: Int) -> Row {
    let slab = slabWithPlace(index)
    return Row(slab: slab, base: slab.appendRow())
  }

  /// The slab for the next row of a shape.
  @inline(__always)
  private mutating func slabWithPlace(_ index: Int) -> RowSlab {
    if let current = index == 0 ? firstSlab : furtherSlabs[index - 1], !current.isFull { return current }
    return beginSlab(index)
  }

  @inline(never)
  private mutating func beginSlab(_ index: Int) -> RowSlab {
    let slab = RowSlab.make(layout: plan.shapes[index].layout, capacity: capacity)
    if index == 0 { firstSlab = slab } else { furtherSlabs[index - 1] = slab }
    return slab
  }

  /// Reads a value of any kind.
  @inline(never)
  @inlinable
  func convert(
    _ cell: Source.Cell,
    field: SQLRowPlan.Field,
    into row: Row,
    source: Source,
    shape: SQLRowPlan.Shape,
    key: Int64
  ) {
    do {
      row.set(try value(cell, field: field, attribute: shape.attribute(field.slot), in: source), slot: field.slot)
    } catch {
      // The failure belongs to this value: only reading it throws. The row's other values are intact.
      fail(cell, field: field, into: row, shape: shape, key: key, error: error)
    }
  }

  @usableFromInline
  func fail(
    _ cell: Source.Cell,
    field: SQLRowPlan.Field,
    into row: Row,
    shape: SQLRowPlan.Shape,
    key: Int64,
    error: any Error
  ) {
    let error = failure(cell, field: field, shape: shape, key: key, error: error)
    row.fail(field.slot, failure: ValueFailure(error: error))
  }

  /// Reads a value of the most common kinds, if the database stores it with that type.
  ///
  /// - Returns: false for all other kinds.
  @inline(__always)
  @inlinable
  func read(_ cell: Source.Cell, field: SQLRowPlan.Field, into base: UnsafeMutableRawPointer) -> Bool {
    let place = base + field.offset
    switch field.content {
    case .real:
      guard let value = cell.exactReal else { return false }
      place.storeBytes(of: value, as: Double.self)
    case .text:
      guard let value = cell.exactText else { return false }
      place.initializeMemory(as: String.self, to: value)
    default: return false
    }
    EntityLayout.markValue(base, slot: field.slot)
    return true
  }

  @inline(never)
  @usableFromInline
  func readComposites(into row: Row, source: Source, shape: SQLRowPlan.Shape, key: Int64) {
    for composite in shape.composites { read(composite, into: row, source: source, shape: shape, key: key) }
  }

  /// If all elements of a composite attribute are null, the attribute is null.
  private func read(
    _ composite: SQLRowPlan.Composite,
    into row: Row,
    source: Source,
    shape: SQLRowPlan.Shape,
    key: Int64
  ) {
    var found = CompositeValue([:])
    for (element, field) in composite.elements {
      guard let cell = source.cell(field.column) else { continue }
      do {
        let stored = try value(cell, field: field, attribute: element.attribute, in: source)
        found[element.path.joined(separator: ".")] = AttributeValue.value(stored, as: element.attribute.attributeType)
      } catch {
        let error = failure(cell, field: field, shape: shape, key: key, error: error)
        return row.fail(composite.slot, failure: ValueFailure(error: error))
      }
    }
    if !found.values.isEmpty { row.set(.object(found.values), slot: composite.slot) }
  }

  /// A row of which only the key and the entity were asked for.
  func readKey(_ source: Source, entityColumn: Int32) throws -> FetchedRow {
    let key = source.number(0)
    if plan.shapes.count == 1 {
      return FetchedRow(key: key, store: context.store, layout: plan.shapes[0].entity.layout, row: nil)
    }
    let number = source.number(entityColumn)
    guard let shape = plan.shapes.first(where: { $0.entity.number == number }) else {
      throw unknownEntity(number, key: key)
    }
    return FetchedRow(key: key, store: context.store, layout: shape.entity.layout, row: nil)
  }

  @inlinable
  func shapeIndex(_ source: Source, key: Int64) throws -> Int {
    if plan.shapes.count == 1 { return 0 }
    let number = source.number(2)
    guard let index = plan.shapeIndex(number) else { throw unknownEntity(number, key: key) }
    return index
  }

  /// The value of a column as a slot of a row has it.
  @inlinable
  func value(
    _ cell: Source.Cell,
    field: SQLRowPlan.Field,
    attribute: NSAttributeDescription?,
    in source: Source
  ) throws -> StoredValue {
    switch field.content {
    case .integer: return .integer(try cell.integer())
    case .boolean: return .integer(try cell.integer() == 0 ? 0 : 1)
    case .real: return .real(try cell.real())
    case .text: return .text(try cell.text())
    case .data: return .data(Data(try cell.bytes()))
    case .externalData: return .data(try context.largeData(try cell.bytes()))
    case .uuid: return .uuid(try cell.uuid())
    case .decimal: return .decimal(try cell.decimal())
    case .uri: return .object(try cell.url())
    case .composite: return .null
    case .transformable:
      guard let attribute else { return .null }
      return try transformed(Data(try cell.bytes()), attribute: attribute)
    case .reference:
      let key = try cell.integer()
      if key <= 0 { return .null }
      return .reference(ObjectReference(key: key, entity: destination(field, in: source), store: context.store))
    }
  }

  /// The value of a transformable attribute.
  @usableFromInline
  func transformed(_ data: Data, attribute: NSAttributeDescription) throws -> StoredValue {
    let object = AttributeCoding.decode(data, attribute: attribute)
    if let archive = object as? UnreadableArchive, archive.isDamaged {
      throw StoreFailure.error(
        CocoaError.coderReadCorrupt.rawValue,
        message: "the archive cannot be read (\(archive.problem)). It stays as it is; set the value anew."
      )
    }
    return object.map { .object($0) } ?? .null
  }

  /// The entity of a to-one relationship's destination. A migrated row may not contain it; then it
  /// is the entity that the model names.
  @inlinable
  func destination(_ field: SQLRowPlan.Field, in source: Source) -> Int32 {
    guard field.entityColumn >= 0 else { return field.destination }
    return context.entityNumber(source.number(field.entityColumn)) ?? field.destination
  }

  @usableFromInline
  func unknownEntity(_ number: Int64, key: Int64) -> any Error {
    let table = plan.shapes.first?.entity.table.name ?? ""
    return StoreFailure.corruptFile(
      """
      \(context.file.storeName): the row \(key) of \(table) says that it is of the entity number \(number), which is none \
      of those asked for; the store was edited by something else.
      """,
      file: context.file
    )
  }

  private func failure(
    _ cell: Source.Cell,
    field: SQLRowPlan.Field,
    shape: SQLRowPlan.Shape,
    key: Int64,
    error: any Error
  ) -> any Error {
    let property = shape.entity.layout.slots[field.slot].property
    if case .externalData = field.content {
      let place = "\(shape.entity.table.name).\(plan.columns[Int(field.column)]) of the row \(key)"
      // The message contains the cause's text. With the cause as an underlying error, a report would contain it twice.
      return StoreFailure.error(
        (error as NSError).code,
        message: "\(context.file.storeName): \(property.modelPath) (\(place)): \(error.localizedDescription)",
        file: context.file
      )
    }
    return StoreFailure.corruptFile(
      """
      \(context.file.storeName): \(shape.entity.table.name).\(plan.columns[Int(field.column)]) of the row \(key) holds \
      \(cell.typeName), which is not a value of \(property.modelPath): \(error.localizedDescription)
      """,
      file: context.file,
      details: [NSUnderlyingErrorKey: error]
    )
  }
}
