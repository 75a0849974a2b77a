import Foundation
import GRDBSQLite

/// Decodes the rows of a query straight from the statement into slabs.
struct SQLiteRowReader {
  let engine: SQLiteStore.Engine
  let plan: SQLRowPlan
  let store: Int32
  private var slabs: [RowSlab?]
  private let capacity: Int

  /// - Parameters:
  ///   - store: the index of the store, for the references in the rows.
  ///   - capacity: the number of rows that a slab holds.
  init(
    _ engine: SQLiteStore.Engine,
    plan: SQLRowPlan,
    store: Int32,
    capacity: Int = RowSlab.rowsPerFetchedSlab
  ) {
    self.engine = engine
    self.plan = plan
    self.store = store
    self.capacity = capacity
    slabs = [RowSlab?](repeating: nil, count: plan.shapes.count)
  }

  /// The row that the statement stands on.
  ///
  /// A value that is not what the model says fails alone, with an error that names table, column
  /// and key.
  ///
  /// - Throws: an error when the row is of none of the entities that were asked for.
  mutating func read(_ statement: OpaquePointer) throws -> FetchedRow {
    let key = sqlite3_column_int64(statement, 0)
    let index = try shapeIndex(statement, key)
    let shape = plan.shapes[index]
    let layout = shape.entity.layout
    let slab: RowSlab
    if let current = slabs[index], !current.isFull {
      slab = current
    } else {
      slab = RowSlab.make(layout: layout, capacity: capacity)
      slabs[index] = slab
    }
    let base = slab.appendRow()
    let row = Row(slab: slab, base: base)
    row.version = sqlite3_column_int64(statement, 1)
    row.setTransientDefaults()
    for field in shape.fields {
      let type = sqlite3_column_type(statement, field.column)
      if type == SQLITE_NULL { continue }
      switch (field.content, type) {
      case (.integer, SQLITE_INTEGER):
        (base + layout.offset(field.slot)).storeBytes(
          of: sqlite3_column_int64(statement, field.column),
          as: Int64.self
        )
        EntityLayout.markValue(base, field.slot)
      case (.real, SQLITE_FLOAT), (.real, SQLITE_INTEGER):
        (base + layout.offset(field.slot)).storeBytes(
          of: sqlite3_column_double(statement, field.column),
          as: Double.self
        )
        EntityLayout.markValue(base, field.slot)
      case (.text, SQLITE_TEXT):
        (base + layout.offset(field.slot)).initializeMemory(
          as: String.self,
          to: text(statement, field.column)
        )
        EntityLayout.markValue(base, field.slot)
      default:
        let cell = SQLiteCell(statement: statement, column: field.column, type: type)
        do {
          row.set(try value(cell, field, layout.slots[field.slot].attribute), field.slot)
        } catch {
          // That value alone fails, for whoever reads it: the row has others.
          row.fail(field.slot, ValueFailure(error: failure(cell, field, shape, key, error)))
        }
      }
    }
    for composite in shape.composites { read(composite, into: row, statement, shape, key) }
    return FetchedRow(key: key, store: store, layout: layout, row: row)
  }

  /// A composite attribute none of whose elements has a value has none itself.
  private func read(
    _ composite: SQLRowPlan.Composite,
    into row: Row,
    _ statement: OpaquePointer,
    _ shape: SQLRowPlan.Shape,
    _ key: Int64
  ) {
    var found = CompositeValue([:])
    for (element, field) in composite.elements {
      let type = sqlite3_column_type(statement, field.column)
      if type == SQLITE_NULL { continue }
      let cell = SQLiteCell(statement: statement, column: field.column, type: type)
      do {
        let stored = try value(cell, field, element.attribute)
        found[element.path.joined(separator: ".")] = AttributeValue.value(
          stored,
          as: element.attribute.attributeType
        )
      } catch {
        let error = failure(cell, field, shape, key, error)
        return row.fail(composite.slot, ValueFailure(error: error))
      }
    }
    if !found.values.isEmpty { row.set(.object(found.values), composite.slot) }
  }

  /// A row of which only the key and the entity were asked for.
  func readKey(_ statement: OpaquePointer, entityColumn: Int32) throws -> FetchedRow {
    let key = sqlite3_column_int64(statement, 0)
    if plan.shapes.count == 1 {
      return FetchedRow(key: key, store: store, layout: plan.shapes[0].entity.layout, row: nil)
    }
    let number = sqlite3_column_int64(statement, entityColumn)
    guard let shape = plan.shapes.first(where: { $0.entity.number == number }) else {
      throw unknownEntity(number, key)
    }
    return FetchedRow(key: key, store: store, layout: shape.entity.layout, row: nil)
  }

  private func shapeIndex(_ statement: OpaquePointer, _ key: Int64) throws -> Int {
    if plan.shapes.count == 1 { return 0 }
    let number = sqlite3_column_int64(statement, 2)
    guard let index = plan.shapes.firstIndex(where: { $0.entity.number == number }) else {
      throw unknownEntity(number, key)
    }
    return index
  }

  /// The value of a column as a slot of a row has it.
  func value(
    _ cell: SQLiteCell,
    _ field: SQLRowPlan.Field,
    _ attribute: NSAttributeDescription?
  ) throws -> StoredValue {
    switch field.content {
    case .integer: return .integer(try cell.integer())
    case .boolean: return .integer(try cell.integer() == 0 ? 0 : 1)
    case .real: return .real(try cell.real())
    case .text: return .text(try cell.text())
    case .data: return .data(Data(try cell.bytes()))
    case .externalData: return .data(try engine.external.value(try cell.bytes()))
    case .uuid: return .uuid(try cell.uuid())
    case .decimal: return .decimal(try cell.decimal())
    case .uri: return .object(try cell.url())
    case .composite: return .null
    case .transformable:
      guard let attribute else { return .null }
      let object = AttributeCoding.decode(Data(try cell.bytes()), attribute)
      if let archive = object as? UnreadableArchive, archive.isDamaged {
        throw StoreFailure.error(
          CocoaError.coderReadCorrupt.rawValue,
          "the archive cannot be read (\(archive.problem)). It stays as it is; set the value anew."
        )
      }
      return object.map { .object($0) } ?? .null
    case .reference:
      let key = try cell.integer()
      if key <= 0 { return .null }
      return .reference(ObjectReference(key: key, entity: destination(cell, field), store: store))
    }
  }

  /// The entity of a to-one relationship's destination. Rows that were migrated may not tell it;
  /// then it is the one that the model names.
  private func destination(_ cell: SQLiteCell, _ field: SQLRowPlan.Field) -> Int32 {
    guard field.entityColumn >= 0,
      let entity = engine.schema.entity(storeNumber: sqlite3_column_int64(cell.statement, field.entityColumn))
    else { return field.destination }
    return entity.layout.number
  }

  private func unknownEntity(_ number: Int64, _ key: Int64) -> any Error {
    let table = plan.shapes.first?.entity.table.name ?? ""
    return StoreFailure.error(
      CocoaError.fileReadCorruptFile.rawValue,
      """
      \(engine.file.path): the row \(key) of \(table) says that it is of the entity number \(number), which is none \
      of those asked for; the store was edited by something else.
      """,
      file: engine.file
    )
  }

  private func failure(
    _ cell: SQLiteCell,
    _ field: SQLRowPlan.Field,
    _ shape: SQLRowPlan.Shape,
    _ key: Int64,
    _ error: any Error
  ) -> any Error {
    let property = shape.entity.layout.slots[field.slot].property
    if case .externalData = field.content {
      let place = "\(shape.entity.table.name).\(plan.columns[Int(field.column)]) of the row \(key)"
      // The words of the cause are in it; as an underlying error they would be told twice.
      return StoreFailure.error(
        (error as NSError).code,
        "\(engine.file.path): \(property.modelPath) (\(place)): \(error.localizedDescription)",
        file: engine.file
      )
    }
    return StoreFailure.error(
      CocoaError.fileReadCorruptFile.rawValue,
      """
      \(engine.file.path): \(shape.entity.table.name).\(plan.columns[Int(field.column)]) of the row \(key) holds \
      \(cell.typeName), which is no value of \(property.modelPath): \(error.localizedDescription)
      """,
      file: engine.file,
      details: [NSUnderlyingErrorKey: error]
    )
  }
}

/// The text of a column that holds text; bytes that are no UTF-8 are replaced.
@inline(__always)
private func text(_ statement: OpaquePointer, _ column: Int32) -> String {
  guard let bytes = sqlite3_column_text(statement, column) else { return "" }
  return String(
    decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))),
    as: UTF8.self
  )
}
