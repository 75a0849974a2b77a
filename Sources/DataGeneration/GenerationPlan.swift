/// A plan of the data to be made: the number of objects of each entity, how they are linked, and
/// the number from which all of it follows.
///
/// ```swift
/// let plan = GenerationPlan(counts: ["Plant": 3], seed: 7)
/// var (first, second) = (Data(), Data())
/// try DataGenerator(model: model, plan: plan).write(as: .json) { first += $0 }
/// try DataGenerator(model: model, plan: plan).write(as: .json) { second += $0 }
/// print(first == second)  // true
/// ```
public struct GenerationPlan: Hashable, Sendable {
  /// The largest number of objects of an entity: 10¹².
  static let mostObjects = 1_000_000_000_000

  /// The most objects that an object can be linked to by one relationship: 10⁶.
  static let mostLinks = 1_000_000

  /// The number of objects of each entity, by its name, up to 10¹². Entities that others have to be
  /// linked to get objects without being named.
  public var counts: [String: Int]

  /// The number of objects that each object is linked to by a to-many relationship, by `Entity.relationship`, up to
  /// 10⁶. The default is `generate.fanOut` in the relationship's user info (`3` or `1-5`), or up to three.
  public var fanOuts: [String: ClosedRange<Int>]

  /// The number that all values follow from: the same plan for the same model gives the same bytes.
  public var seed: UInt64

  /// Creates a plan.
  public init(counts: [String: Int], fanOuts: [String: ClosedRange<Int>] = [:], seed: UInt64 = 0) {
    self.counts = counts
    self.fanOuts = fanOuts
    self.seed = seed
  }
}
