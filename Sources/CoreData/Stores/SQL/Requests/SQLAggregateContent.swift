import ModelFormats

/// The content of a grouped result column, as far as it decides how the column is read.
package enum SQLAggregateContent {
  case integer, truth, real, number, sum, exact, text, decimal, uuid, uri, data
  /// The key of an object of the entity with this number in the model.
  case reference(Int32)

  package init(_ value: AggregateValue) { self = Self.content(value) }

  private static func content(_ value: AggregateValue) -> SQLAggregateContent {
    switch value {
    case _ where value.isExact: return .exact
    case .count, .function(.count, _): return .integer
    case .function(.average, _): return .real
    case .function(.sum, let expression): return expression.kind.type == .integer64AttributeType ? .integer : .sum
    case .key, .function(.minimum, _), .function(.maximum, _), .calculation: break
    }
    switch value.kind {
    case .object(let entity): return .reference(entity.layout.number)
    case .wholeNumber, .calculated, .number(fromDates: false): return .number
    case .number(fromDates: true): return .real
    case .text: return .text
    case .attribute(let attribute):
      switch attribute.attributeType.storage {
      case .boolean: return .truth
      case .integer: return .integer
      case .real, .date: return .real
      case .decimal: return .decimal
      case .uuid: return .uuid
      case .uri: return .uri
      case .data: return .data
      case .text, .transformable, .composite, .none: return .text
      }
    }
  }
}
