import CoreData

/// The links of one relationship: the objects that each object is linked to.
struct LinkPlan {
  /// A rule by which the destinations are found.
  enum Rule {
    /// Any object, for all but a share of the sources.
    case any(absence: Double)
    /// An object with a smaller number; the first has none, or itself where it has to have one.
    case before(isRequired: Bool)
    /// The object of the same number, while there are any.
    case same
    /// The objects in pairs, of which the first names the second.
    case pairs
    /// The next object. The last object does not have one, or has the first if one is required.
    case next(isRequired: Bool)
    /// The objects dealt out like cards, some to each source, so that all get their turn.
    case dealt(ClosedRange<Int>)
    /// The sources in groups, one for each destination.
    case groups(ClosedRange<Int>, isRequired: Bool)
  }

  let relationship: NSRelationshipDescription
  let rule: Rule
  let destination: NSEntityDescription

  /// The number of objects that can be linked to.
  let count: UInt64
  private let seed: UInt64
  private let order: Permutation

  init(
    relationship: NSRelationshipDescription,
    rule: Rule,
    to destination: NSEntityDescription,
    count: UInt64,
    seed: UInt64
  ) {
    self.relationship = relationship
    self.rule = rule
    self.destination = destination
    self.count = count
    self.seed = RandomNumbers.mixed(seed ^ RandomNumbers.hash(relationship.place))
    order = Permutation(max(count, 1), seed: self.seed)
  }

  /// The numbers of the destinations of a source, by its number among the objects of the declaring entity.
  func destinations(of source: UInt64) -> [UInt64] {
    guard count > 0 else { return [] }
    var random = RandomNumbers(seed: seed, number: source)
    switch rule {
    case .any(let absence): return random.unit() < absence ? [] : [random.next(below: count)]
    case .before(let isRequired): return source > 0 ? [random.next(below: min(source, count))] : isRequired ? [0] : []
    case .same: return source < count ? [source] : []
    case .pairs: return source.isMultiple(of: 2) && source + 1 < count ? [source + 1] : []
    case .next(let isRequired): return source + 1 < count ? [source + 1] : isRequired ? [0] : []
    case .dealt(let counts):
      let start = Self.start(of: source, counts: counts)
      let length = UInt64(counts.lowerBound) + source % UInt64(counts.count)
      return withoutItself(
        (start..<start + length).map { order($0 % count) },
        source: source,
        next: start + length
      )
    case .groups(let counts, let isRequired):
      let group = Self.group(of: source, counts: counts)
      return group < count ? [group] : isRequired ? [group % count] : []
    }
  }

  /// Removes the object itself from its own links, so that for example a person is not their own
  /// friend. Adds the next object if the relationship requires one.
  private func withoutItself(_ numbers: [UInt64], source: UInt64, next: UInt64) -> [UInt64] {
    guard destination.name == relationship.declaringEntity.name else { return numbers }
    let others = numbers.filter { $0 != source }
    guard others.count < min(numbers.count, relationship.leastCount), UInt64(numbers.count) < count else {
      return others
    }
    return others + [order(next % count)]
  }

  /// The sum of the counts of all sources before one, where the counts go through the range again and again.
  static func start(of source: UInt64, counts: ClosedRange<Int>) -> UInt64 {
    let (low, size) = (UInt64(counts.lowerBound), UInt64(counts.count))
    let (turns, rest) = source.quotientAndRemainder(dividingBy: size)
    return turns * (low * size + size * (size - 1) / 2) + rest * low + rest * (rest &- 1) / 2
  }

  /// The group that a source is in, when the sizes of groups go through the range again and again.
  private static func group(of source: UInt64, counts: ClosedRange<Int>) -> UInt64 {
    let size = UInt64(counts.count)
    let turn = start(of: size, counts: counts)
    guard turn > 0 else { return .max }
    var group = source / turn * size
    while start(of: group + 1, counts: counts) <= source { group += 1 }
    return group
  }
}
