/// Shuffles the numbers below a bound, each of which it maps to another one.
struct Permutation {
  private let bound: UInt64
  private let factor: UInt64
  private let offset: UInt64

  /// - Parameters:
  ///   - bound: Not 0.
  ///   - seed: Nil leaves all numbers where they are.
  init(_ bound: UInt64, seed: UInt64?) {
    guard let seed else {
      self.bound = bound
      factor = 1
      offset = 0
      return
    }
    var random = RandomNumbers(seed)
    self.bound = bound
    offset = random.next(below: bound)
    // A factor that has no divisor in common with the bound maps no two numbers to one.
    var factor = bound < 4 ? 1 : bound / 3 + random.next(below: bound / 3)
    while Self.commonDivisor(factor, bound) != 1 { factor += 1 }
    self.factor = factor
  }

  func callAsFunction(_ number: UInt64) -> UInt64 {
    let product = factor.multipliedFullWidth(by: number % bound)
    let scaled = bound.dividingFullWidth(product).remainder
    return scaled >= bound - offset ? scaled - (bound - offset) : scaled + offset
  }

  private static func commonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}
