import Foundation
import Predicates

extension SQLComparisonTranslator {
  /// The test whether a value is a member of a collection, or a text a part of another one.
  func membership(of member: SQLOperand, in collection: SQLOperand, isNegated: Bool) throws -> SQLCondition {
    switch collection {
    case .collection(let found):
      let element = SQLOperand.scalar(found.element.scalar)
      return found.exists(try equality(element, right: member, isNegated: false), isNegated: isNegated)
    case .list(let members):
      let parts = try members.map { try equality(member, right: $0, isNegated: isNegated) }
      return isNegated ? .all(parts) : .any(parts)
    case .constant(.null): return .constant(isNegated)
    case .constant(.text), .scalar: return try text(.contains, left: collection, right: member, isNegated: isNegated)
    case .constant(let value):
      guard let elements = value.elements else {
        throw unsupported("IN needs a collection or text on its right side, which is \(value.typeName)")
      }
      return try membership(of: member, in: elements.map { EvaluatedValue($0) }, isNegated: isNegated)
    }
  }

  private func membership(
    of member: SQLOperand,
    in elements: [EvaluatedValue],
    isNegated: Bool
  ) throws -> SQLCondition {
    switch member {
    case .constant(.null) where isNegated && !elements.isEmpty: return .never
    case .constant(let value):
      return .constant(elements.contains { Self.areEqual(value, $0, textOptions) } != isNegated)
    case .collection, .list: throw unsupported("a collection is a member of nothing; use ANY")
    case .scalar(let scalar):
      if !elements.allSatisfy(\.isNull) { try requireKnown(scalar) }
      // No value is a member, and a missing one neither.
      if elements.isEmpty { return .constant(isNegated) }
      let members = SQLMembers(
        elements,
        of: scalar.kind,
        options: textOptions,
        store: scope.store,
        dialect: dialect
      )
      return membership(of: scalar, in: members, isNegated: isNegated)
    }
  }

  private func membership(of scalar: SQLScalar, in members: SQLMembers, isNegated: Bool) -> SQLCondition {
    let isFolded = scalar.kind == .text && !textOptions.isEmpty
    let lists = members.lists.map { list in
      SQLCondition.atom { writer in
        try writeFolded(scalar, options: isFolded, to: &writer)
        writer.writeMembership(of: list, as: scalar.kind, isNegated: isNegated)
      }
    }
    let nullTest = Self.nullTest(scalar, isNegated: isNegated)
    if isNegated { return .all(lists.isEmpty || members.hasNull ? [nullTest] + lists : lists) }
    return .any(members.hasNull ? lists + [nullTest] : lists)
  }
}

/// The members of a constant list that a value of some kind can be equal to.
struct SQLMembers {
  private(set) var lists: [SQLList] = []
  private(set) var hasNull = false

  init(
    _ elements: [EvaluatedValue],
    of kind: SQLKind,
    options: TextOptions,
    store: Int32,
    dialect: any SQLDialect
  ) {
    var integers: [Int64] = []
    var reals: [Double] = []
    var texts: [String] = []
    var blobs: [Data] = []
    for element in elements {
      if case .null = element {
        hasNull = true
        continue
      }
      switch SQLConstants.binding(element, as: kind, store: store, dialect: dialect) {
      // No floating-point number is equal to some of the large whole ones.
      case .integer(let value) where kind == .real && Int64(exactly: Double(value)) != value: continue
      case .integer(let value): integers.append(value)
      case .real(let value): reals.append(value)
      case .text(let value): texts.append(kind == .text ? options.folded(value) : value)
      case .blob(let value): blobs.append(value)
      case .null, nil: continue
      }
    }
    if !integers.isEmpty { lists.append(.integers(integers)) }
    if !reals.isEmpty { lists.append(.reals(reals)) }
    if !texts.isEmpty { lists.append(.texts(texts)) }
    if !blobs.isEmpty { lists.append(.blobs(blobs)) }
  }
}
