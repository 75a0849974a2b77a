/// Texts that a server cannot compress much.
enum LongText {
  private static let alphabet = Array(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüéèêñ".unicodeScalars
  )

  /// - Parameters:
  ///   - seed: equal numbers give equal texts.
  ///   - count: the number of characters.
  static func text(_ seed: UInt64, count: Int = 9_000) -> String {
    var state = seed
    var scalars = String.UnicodeScalarView()
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      scalars.append(alphabet[Int(state >> 33) % alphabet.count])
    }
    return String(scalars)
  }
}
