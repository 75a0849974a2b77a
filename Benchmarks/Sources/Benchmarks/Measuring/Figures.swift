/// What the rounds of a contender have given.
struct Figures {
  /// The figures in ascending order.
  private let sorted: [Double]
  /// The most memory of all rounds in MB, where they were processes of their own.
  let peak: Double?

  /// - Parameter readings: those of at least one round.
  init(_ readings: [Contender.Reading], repetitions: Int) {
    sorted = readings.map { $0.value / Double(repetitions) }.sorted()
    peak = readings.compactMap(\.peak).max()
  }

  var median: Double { quantile(0.5) }
  var lowerQuartile: Double { quantile(0.25) }
  var upperQuartile: Double { quantile(0.75) }

  /// The figure below which a part of the figures lies, between the two that are nearest.
  private func quantile(_ part: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let place = part * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
