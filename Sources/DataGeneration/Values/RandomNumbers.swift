/// A sequence of numbers that is determined by its initial values, equal on every machine and in
/// every version of Swift.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). Each
/// value of each object has a sequence of its own, so that it can be computed without the values before it.
struct RandomNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// A sequence for one of the many uses of a seed.
  init(seed: UInt64, number: UInt64) { state = Self.mixed(seed ^ Self.mixed(number &+ Self.step)) }

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func next() -> UInt64 {
    state &+= Self.step
    return Self.mixed(state)
  }

  /// A number below a bound, which is not 0.
  mutating func next(below bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

  /// A number from 0 up to, and without, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  static func mixed(_ number: UInt64) -> UInt64 {
    var number = number
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }

  /// The hash of a name (FNV-1a), which is the same in every process.
  static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// A permutation of the numbers below a bound.
struct Permutation {
  private let bound: UInt64
  private let factor: UInt64
  private let offset: UInt64

  /// - Parameters:
  ///   - bound: Not 0.
  ///   - seed: Nil leaves all numbers unchanged.
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
    // A factor without a common divisor with the bound maps different numbers to different ones.
    var factor = bound < 4 ? 1 : bound / 3 + random.next(below: bound / 3)
    while Self.commonDivisor(factor, second: bound) != 1 { factor += 1 }
    self.factor = factor
  }

  func callAsFunction(_ number: UInt64) -> UInt64 {
    let product = factor.multipliedFullWidth(by: number % bound)
    let scaled = bound.dividingFullWidth(product).remainder
    return scaled >= bound - offset ? scaled - (bound - offset) : scaled + offset
  }

  private static func commonDivisor(_ first: UInt64, second: UInt64) -> UInt64 {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}
