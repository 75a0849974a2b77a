import CoreData
import Foundation
import Texts

/// Makes a facet from the store's answers.
struct FacetMaker {
  /// The longest value that gets a predicate, in bytes.
  private static let longestValue = 2_000

  let query: FacetQuery
  /// The largest number of separate values.
  let top: Int
  let secondsFromGMT: Int

  private var subject: FacetSubject { query.subject }

  func facet() throws -> Facet {
    let total = try query.count()
    let nulls = total == 0 ? 0 : try query.count(subject.isNull)
    let (kind, values) = total == nulls ? (Facet.Kind.values, []) : try values(of: total - nulls)
    let told = values.reduce(0) { $0 + $1.count }
    return Facet(
      keyPath: subject.keyPath,
      kind: kind,
      values: values,
      nullCount: nulls,
      nullPredicate: subject.isNull.printedFormat,
      otherCount: max(0, total - nulls - told),
      totalCount: total
    )
  }

  private func values(of count: Int) throws -> (Facet.Kind, [Facet.Value]) {
    if let reason = subject.ungroupable, count > Facets.mostGroupedInMemory {
      throw ExplorationFailure(
        code: .unsuitableProperty,
        problem: "a store cannot group \(count) objects by \(subject.keyPath): \(reason)",
        remedy: "narrow them to at most \(Facets.mostGroupedInMemory) by a predicate"
      )
    }
    switch subject.values {
    case .plain: return (subject.isBoolean ? .orderedValues : .values, try plain())
    case .objects: return (.values, try objects())
    case .wholeNumbers, .numbers, .decimals: return try NumberBins(maker: self).values()
    case .dates: return try DateBins(maker: self).values()
    }
  }

  // MARK: - Separate values

  private func plain() throws -> [Facet.Value] {
    let groups = try query.groups(
      by: NSExpression(forKeyPath: subject.keyPath),
      condition: subject.hasValue,
      isByCount: !subject.isBoolean,
      limit: top
    )
    return groups.map { value($0.value, count: $0.count) }
  }

  /// A separate value, as the store has it.
  func value(_ value: Any, count: Int) -> Facet.Value {
    var value = value
    if subject.isBoolean, let number = value as? NSNumber { value = number.boolValue }
    return Facet.Value(label: Self.label(value), count: count, predicate: predicate(of: value))
  }

  private func predicate(of value: Any) -> String? {
    let text =
      switch value {
      case let text as String: text
      case let url as URL: url.absoluteString
      default: ""
      }
    guard text.utf8.count <= Self.longestValue else { return nil }
    if let date = value as? Date { return "\(subject.spelled) == \(PredicateText.date(date))" }
    return NSPredicate(format: "%K == %@", subject.keyPath, value).printedFormat
  }

  private static func label(_ value: Any) -> String {
    switch value {
    case let flag as Bool where type(of: value) == Bool.self: flag ? "YES" : "NO"
    case let text as String: text.isEmpty ? "\"\"" : VisibleText(line: text, atMost: 200).description
    case let url as URL: VisibleText(line: url.absoluteString, atMost: 200).description
    case let date as Date: ShownDate.text(date)
    default: "\(value)"
    }
  }

  // MARK: - Objects

  private func objects() throws -> [Facet.Value] {
    let groups = try query.groups(
      by: NSExpression(forKeyPath: subject.keyPath),
      condition: subject.hasValue,
      isByCount: true,
      limit: top
    )
    let ids = groups.compactMap { $0.value as? NSManagedObjectID }
    var namer = ObjectNames()
    let names = try namer.names(of: ids, in: query.context)
    return groups.compactMap { group in
      guard let id = group.value as? NSManagedObjectID else { return nil }
      let variable = ObjectVariable.text(of: id)
      return Facet.Value(
        label: names[id] ?? ObjectNames.fallback(id),
        count: group.count,
        predicate: variable.map { "\(subject.spelled) == \($0)" },
        object: id
      )
    }
  }
}
