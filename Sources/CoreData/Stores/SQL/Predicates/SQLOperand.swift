import ModelFormats
import Predicates

/// Writes a part of a statement.
package typealias SQLWrite = (inout SQLWriter) throws -> Void

/// The kind of value that an expression has, as far as it decides how the expression is compared.
package enum SQLKind: Equatable {
  case integer
  case real
  case decimal
  case date
  case text
  case uuid
  case uri
  /// Data; `isExternal` where the attribute allows that they are stored in files of their own.
  case data(isExternal: Bool)
  /// An object that is stored as an archive. A database can only compare it with null; memory compares it
  /// with other objects.
  case opaque
  /// A key of an object under the root entity with this number.
  case object(root: Int32)
  /// The entity of an object, as the store numbers those of the names.
  case entity(numbers: [String: Int64])

  package init(_ attribute: NSAttributeDescription) {
    self =
      switch attribute.attributeType.storage {
      case .integer, .boolean: .integer
      case .real: .real
      case .decimal: .decimal
      case .date: .date
      case .text: .text
      case .uuid: .uuid
      case .uri: .uri
      case .data: .data(isExternal: attribute.allowsExternalBinaryDataStorage)
      case .transformable, .composite, .none: .opaque
      }
  }

  var isNumber: Bool { self == .integer || self == .real || self == .decimal }

  var isData: Bool { if case .data = self { true } else { false } }

  /// True when values of both kinds can be equal.
  func isComparable(with other: SQLKind) -> Bool { self == other || isNumber && other.isNumber }

  /// True when values have an order.
  var isOrdered: Bool {
    switch self {
    case .integer, .real, .decimal, .date, .text, .uuid: true
    case .uri, .data, .opaque, .object, .entity: false
    }
  }

  /// True when rows are sorted by such values: objects by their keys, though no predicate compares these.
  var isSortable: Bool { if case .object = self { true } else { isOrdered } }

  /// The kind as messages name it.
  var name: String {
    switch self {
    case .integer, .real, .decimal: "a number"
    case .date: "a date"
    case .text: "text"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .data: "data"
    case .opaque: "an object that the store cannot look into"
    case .object: "a managed object"
    case .entity: "an entity"
    }
  }
}

/// An expression that has one value for each row.
package struct SQLScalar {
  package let kind: SQLKind
  /// True for the value of a column, and false for a calculated value.
  package let isColumn: Bool
  /// The distance of a whole number from zero is at most 2 to the power of this; see ``SQLIntegerWidth``.
  package let width: Int
  package let write: SQLWrite

  package init(
    _ kind: SQLKind,
    isColumn: Bool = false,
    width: Int = SQLIntegerWidth.integer,
    write: @escaping SQLWrite
  ) {
    self.kind = kind
    self.isColumn = isColumn
    self.width = width
    self.write = write
  }

  init(_ kind: SQLKind, column: SQLColumnReference) {
    self.init(kind, isColumn: true) { $0.write(column: column) }
  }

  /// The value of an attribute in a column.
  init(_ attribute: NSAttributeDescription, column: SQLColumnReference) {
    let type = attribute.attributeType
    self.init(SQLKind(attribute), isColumn: true, width: SQLIntegerWidth.width(of: type)) {
      $0.dialect.writeValue(of: column, type: type, to: &$0)
    }
  }
}

/// The range of whole numbers as a count of bits. It tells whether a calculation may overflow the 64 bits
/// of an integer.
package enum SQLIntegerWidth {
  /// The width of any whole number of 64 bits.
  package static let integer = 63
  /// The width of what may be too large for 64 bits, and is a floating-point number then.
  package static let overflowing = 64
  /// The width of the number of a collection's elements, or of a text's characters.
  static let count = 40
  /// The greatest width at which floating-point numbers represent all integers exactly.
  package static let exactReal = 53

  package static func width(of type: NSAttributeType) -> Int {
    switch type {
    case .booleanAttributeType: 1
    case .integer16AttributeType: 15
    case .integer32AttributeType: 31
    default: integer
    }
  }

  static func width(of value: EvaluatedValue) -> Int {
    guard case .number(.integer(let number)) = value else { return integer }
    return UInt64.bitWidth - number.magnitude.leadingZeroBitCount
  }

  /// The width of a result; ``overflowing`` where the least or the greatest result does not fit in 64 bits.
  static func width(of left: Int, sign: SQLCalculation.Operator, right: Int) -> Int {
    let width =
      switch sign {
      case .add, .subtract: max(left, right) + 1
      case .multiply: left + right
      // The least number divided by -1 is one more than the greatest.
      case .divide: left == integer ? overflowing : left
      case .remainder: min(left, right)
      }
    return width >= integer ? (sign == .remainder ? integer : overflowing) : width
  }
}

/// One side of a comparison.
enum SQLOperand {
  case constant(EvaluatedValue)
  case scalar(SQLScalar)
  /// The objects or values that a key path through a to-many relationship leads to.
  case collection(SQLCollection)
  /// A list in which not all members are constants.
  case list([SQLOperand])
}

/// The elements that a key path through to-many relationships leads to, for one row of the query outside.
struct SQLCollection {
  /// The tables of the query inside.
  let scope: SQLScope
  /// Ties the query inside to a row outside.
  let link: SQLWrite
  /// The object or value that each element is.
  var element: SQLElement
  /// The conditions that an element has to fulfil.
  var conditions: [SQLCondition] = []
}

/// The object or value of a variable, or an element of a collection.
enum SQLElement {
  case object(SQLPosition)
  case value(SQLScalar)
}

/// A place in a key path: an entity whose table has an alias.
struct SQLPosition {
  let scope: SQLScope
  let alias: String
  let entity: SQLEntity
  /// True when the row may be missing, as at the end of a to-one relationship.
  let isOptional: Bool

  var key: SQLColumnReference { SQLColumnReference(alias: alias, name: entity.table.primaryKey) }

  var scalar: SQLScalar { SQLScalar(.object(root: entity.layout.rootNumber), column: key) }
}

extension SQLPosition {
  /// The object that a query finds.
  init(root scope: SQLScope) { self.init(scope: scope, alias: scope.alias, entity: scope.entity, isOptional: false) }
}

extension SQLCollection {
  /// The test whether an element fulfils a condition.
  func exists(_ condition: SQLCondition, isNegated: Bool) -> SQLCondition {
    if case .never = condition { return .constant(isNegated) }
    return .atom { writer in
      try writer.writeCall(isNegated ? "NOT EXISTS " : "EXISTS ") {
        try writeQuery(of: { $0.write("1") }, where: condition, to: &$0)
      }
    }
  }

  /// Writes the query of something over all elements that fulfil a condition.
  ///
  /// - Parameter result: writes the selected expression.
  func writeQuery(
    of result: @escaping SQLWrite,
    where condition: SQLCondition = .always,
    to writer: inout SQLWriter
  ) throws {
    writer.write("SELECT ")
    try result(&writer)
    writer.write(" FROM ")
    try scope.writeTables(to: &writer)
    writer.write(" WHERE ")
    try link(&writer)
    for condition in conditions + [condition] + scope.conditions {
      if case .always = condition { continue }
      writer.write(" AND ")
      try condition.writeAsAtom(to: &writer)
    }
  }
}
