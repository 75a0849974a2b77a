public import CoreData

/// The objects of an entity by the values of one of their properties: how many have which.
public struct Facet: Hashable, Sendable {
  /// The way in which values are put together.
  public enum Kind: Hashable, Sendable {
    /// Each value by itself, the most frequent first.
    case values
    /// Each value by itself, in the order of the values: few whole numbers, or YES and NO.
    case orderedValues
    /// Intervals of numbers with this width.
    case intervals(width: Double)
    /// Days, months or years.
    case dates(DateUnit)
  }

  /// A unit of time.
  public enum DateUnit: String, Hashable, Sendable, CaseIterable {
    case day, month, year
  }

  /// A value, or an interval of values.
  public struct Value: Hashable, Sendable {
    /// The value in words.
    public let label: String
    /// The number of objects.
    public let count: Int
    /// The text of the predicate that selects the objects; `nil` where the value has no words in
    /// the format language, or very many. Dates in it are texts in ISO 8601, which
    /// ``ExplorationPredicate`` reads.
    public let predicate: String?
    /// The object, where the property is a relationship.
    public let object: NSManagedObjectID?
    /// The beginning of the interval, for charts: a number, or seconds since 1 January 2001. `nil`
    /// for values that are no interval.
    public let lowerBound: Double?
    /// The end of the interval, which does not belong to it.
    public let upperBound: Double?

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
  public let keyPath: String
  /// The way in which values are put together.
  public let kind: Kind
  /// The values, in the order that the kind says; intervals and dates without the empty ones at
  /// both ends.
  public let values: [Value]
  /// The number of objects without a value.
  public let nullCount: Int
  /// The text of the predicate that selects the objects without a value.
  public let nullPredicate: String
  /// The number of objects that have other values than those that are told.
  public let otherCount: Int
  /// True when there are other values than those that are told.
  public var hasOthers: Bool { otherCount > 0 }
  /// The number of all objects that were looked at.
  public let totalCount: Int
}
