import Foundation

extension EvaluatedValue {
  /// Returns true when both values are the same: numbers of all types by value, texts code by code, collections by
  /// their elements (in order unless one is a set), dictionaries by their entries, objects by their own equality.
  package func isEqual(to other: EvaluatedValue) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.number(let a), .number(let b)): return a.compare(b) == .orderedSame
    case (.text(let a), .text(let b)): return TextOrder.areIdentical(a, second: b)
    case (.date(let a), .date(let b)): return a == b
    case (.object(let a), .object(let b)): return Self.areEqual(a, second: b)
    default: return false
    }
  }

  private static func areEqual(_ first: Any, second: Any) -> Bool {
    if let a = first as? NSObject, let b = second as? NSObject, a === b { return true }
    if let a = first as? any IdentifiedObject, let b = second as? any IdentifiedObject {
      return a.recordIdentity == b.recordIdentity
    }
    if let a = CollectionValue.elements(of: first), let b = CollectionValue.elements(of: second) {
      guard a.count == b.count else { return false }
      if CollectionValue.isSet(first) || CollectionValue.isSet(second) {
        return Set(a.map(ValueKey.init)) == Set(b.map(ValueKey.init))
      }
      return zip(a, b).allSatisfy { EvaluatedValue($0).isEqual(to: EvaluatedValue($1)) }
    }
    if let a = CollectionValue.entries(of: first), let b = CollectionValue.entries(of: second) {
      return a.count == b.count
        && a.allSatisfy { key, value in
          b[key].map { EvaluatedValue($0).isEqual(to: EvaluatedValue(value)) } ?? false
        }
    }
    if let a = first as? NSObject, let b = second as? NSObject { return a.isEqual(b) }
    if let a = first as? AnyHashable, let b = second as? AnyHashable { return a == b }
    guard type(of: first) is AnyObject.Type, type(of: second) is AnyObject.Type else { return false }
    return first as AnyObject === second as AnyObject
  }

  /// The order of two values: numbers, dates, texts (by the codes of their characters unless an order is given) and
  /// UUIDs (by their bytes); `nil` when they have no order, also when one of them is null.
  package func compare(_ other: EvaluatedValue, text: TextOrder = .codes) -> ComparisonResult? {
    switch (self, other) {
    case (.number(let a), .number(let b)): return a.compare(b)
    case (.text(let a), .text(let b)): return text.compare(a, second: b)
    case (.date(let a), .date(let b)): return a < b ? .orderedAscending : (a == b ? .orderedSame : .orderedDescending)
    case (.object(let a as UUID), .object(let b as UUID)):
      return TextOrder.codes.compare(a.uuidString, second: b.uuidString)
    default: return nil
    }
  }

  /// The kind of the value, for messages.
  package var typeName: String {
    switch self {
    case .null: "nil"
    case .number: "a number"
    case .text: "text"
    case .date: "a date"
    case .object(let object):
      CollectionValue.elements(of: object) == nil ? "of the type \(type(of: object))" : "a collection"
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .number(let number): hasher.combine(number.double)
    case .text(let text): hasher.combine(text)
    case .date(let seconds): hasher.combine(seconds)
    case .object(let object):
      if let elements = CollectionValue.elements(of: object) {
        hasher.combine(elements.count)
      } else if let entries = CollectionValue.entries(of: object) {
        hasher.combine(entries.count)
      } else if let object = object as? any IdentifiedObject {
        hasher.combine(object.recordIdentity)
      } else if let object = object as? AnyHashable {
        hasher.combine(object)
      } else if type(of: object) is AnyObject.Type {
        hasher.combine(ObjectIdentifier(object as AnyObject))
      }
    }
  }
}

/// A value as a member of a `Set`, equal as predicates have it; for long lists on the right of IN.
struct ValueKey: Hashable {
  let value: EvaluatedValue

  init(_ value: Any?) { self.value = EvaluatedValue(value) }

  init(_ value: EvaluatedValue) { self.value = value }

  static func == (first: ValueKey, second: ValueKey) -> Bool { first.value.isEqual(to: second.value) }

  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
