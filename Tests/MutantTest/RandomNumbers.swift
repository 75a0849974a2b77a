import TestSupport

/// Random numbers from a seed (SplitMix64), so that a mutant can be made again from its number.
struct RandomNumbers: RandomNumberGenerator {
  private var numbers: SplitMix

  init(seed: UInt64, number: Int) {
    numbers = SplitMix(
      seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
    )
  }

  mutating func next() -> UInt64 { numbers.next() }

  /// A random number below a bound; 0 if the bound is 0.
  mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }

  /// Returns true with a probability of 1 in `times`.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }
}

extension Array {
  func element(_ random: inout RandomNumbers) -> Element? { isEmpty ? nil : self[random.below(count)] }
}
