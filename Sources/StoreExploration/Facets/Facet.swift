package import CoreData

/// The numbers of objects of an entity for each value of a property.
package struct Facet: Hashable, Sendable {
  /// The ways in which values are grouped.
  package enum Kind: Hashable, Sendable {
    /// Each value separately, the most frequent first.
    case values
    /// Each value separately, in the order of the values: few integers, or YES and NO.
    case orderedValues
    /// Intervals of numbers with this width.
    case intervals(width: Double)
    /// Days, months or years.
    case dates(DateUnit)
  }

  /// A unit of time.
  package enum DateUnit: String, Hashable, Sendable, CaseIterable {
    case day, month, year
  }

  /// A value, or an interval of values.
  package struct Value: Hashable, Sendable {
    /// The text of the value.
    package let label: String
    /// The number of objects.
    package let count: Int
    /// The text of the predicate that selects the objects; `nil` if the format language cannot spell the value,
    /// or its text is very long. Dates in it are texts in ISO 8601, which ``ExplorationPredicate`` reads.
    package let predicate: String?
    /// The object, if the property is a relationship.
    package let object: NSManagedObjectID?
    /// The beginning of the interval, for charts: a number, or seconds since 1 January 2001. `nil` for single values.
    package let lowerBound: Double?
    /// The end of the interval, which is not part of it.
    package let upperBound: Double?

    init(
      label: String,
      count: Int,
      predicate: String?,
      object: NSManagedObjectID? = nil,
      bounds: Range<Double>? = nil
    ) {
      self.label = label
      self.count = count
      self.predicate = predicate
      self.object = object
      lowerBound = bounds?.lowerBound
      upperBound = bounds?.upperBound
    }
  }

  /// The name of the property, or the key path across to-one relationships.
  package let keyPath: String
  /// The way in which values are grouped.
  package let kind: Kind
  /// The values, in the order of the kind. Empty intervals and dates at both ends are not included.
  package let values: [Value]
  /// The number of objects without a value.
  package let nullCount: Int
  /// The text of the predicate that selects the objects without a value.
  package let nullPredicate: String
  /// The number of objects with values that are not in the list.
  package let otherCount: Int
  /// True if some objects have values that are not in the list.
  package var hasOthers: Bool { otherCount > 0 }
  /// The number of all objects that fulfill the predicate.
  package let totalCount: Int
}
