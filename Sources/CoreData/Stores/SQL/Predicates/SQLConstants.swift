import Foundation
import Predicates

/// Constants of predicates, and how they are bound in comparisons with a column.
enum SQLConstants {
  static func value(_ expression: NSExpression) throws -> EvaluatedValue {
    if case .constant(let value) = expression.node { return EvaluatedValue(value) }
    return EvaluatedValue(try ExpressionEvaluator(expression)(nil))
  }

  /// The kind of a constant alone; `nil` for null, collections and objects.
  static func kind(of value: EvaluatedValue) -> SQLKind? {
    switch value {
    case .null: nil
    case .number(.integer): .integer
    case .number(.unsigned), .number(.double): .real
    case .number(.decimal): .decimal
    case .text: .text
    case .date: .date
    case .object(is UUID): .uuid
    case .object(is URL): .uri
    case .object(is Data): .data(isExternal: false)
    case .object: nil
    }
  }

  /// The value that is bound for a constant in a comparison with an expression of some kind; `nil` when no
  /// value of that kind is equal to the constant.
  ///
  /// - Parameter store: the index of the store that references must be of.
  static func binding(
    _ value: EvaluatedValue,
    as kind: SQLKind,
    store: Int32,
    dialect: any SQLDialect
  ) -> SQLValue? {
    switch (kind, value) {
    case (.integer, .number(let number)), (.real, .number(let number)), (.decimal, .number(let number)):
      return binding(number, as: kind, dialect: dialect)
    case (.date, .date(let seconds)): return seconds.isNaN ? nil : .real(seconds)
    case (.text, .text(let text)): return .text(text)
    case (.uuid, .object(let uuid as UUID)): return dialect.binding(uuid)
    case (.uri, .object(let url as URL)): return .text(url.absoluteString)
    case (.data(isExternal: false), .object(let data as Data)): return .blob(data)
    case (.data(isExternal: true), .object(let data as Data)): return .blob((dialect.externalDataMark ?? Data()) + data)
    case (.object(let root), .object(let object)):
      guard let (reference, layout) = reference(object), layout.rootNumber == root,
        reference.store == store || reference.isTemporary
      else { return nil }
      return .integer(reference.key)
    case (.entity(let numbers), .object(let entity as NSEntityDescription)):
      return entity.name.flatMap { numbers[$0] }.map(SQLValue.integer)
    default: return nil
    }
  }

  /// The reference of a managed object, given as such or as its ID.
  static func reference(_ object: Any) -> (ObjectReference, EntityLayout)? {
    switch object {
    case let object as NSManagedObject: (object.reference, object.layout)
    case let id as NSManagedObjectID: (id.reference, id.layout)
    default: nil
    }
  }

  private static func binding(_ number: NumberValue, as kind: SQLKind, dialect: any SQLDialect) -> SQLValue? {
    switch number {
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return kind == .decimal ? dialect.binding(Decimal(value)) : .real(Double(value))
    case .double(let value):
      if value.isNaN { return nil }
      // A database may compare a column of whole numbers with a floating-point one as floating-point numbers.
      if kind == .integer, let whole = Int64(exactly: value) { return .integer(whole) }
      if kind == .decimal, let decimal = number.decimal { return dialect.binding(decimal) }
      return .real(value)
    case .decimal(let value): return kind == .decimal ? dialect.binding(value) : binding(value)
    }
  }

  /// The value that is bound for a decimal number in a comparison with another kind: an integer if the number
  /// is whole, floating point otherwise.
  static func binding(_ decimal: Decimal) -> SQLValue? {
    if decimal.isNaN { return nil }
    if let whole = decimal.wholeNumber { return .integer(whole) }
    return .real(decimal.nearestDouble)
  }
}
