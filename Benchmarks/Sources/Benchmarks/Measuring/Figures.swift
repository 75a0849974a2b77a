/// The figures of a contender's rounds.
struct Figures {
  /// The figures in ascending order.
  private let sorted: [Double]
  /// The greatest peak memory of all rounds in MB, if they ran in their own processes.
  let peak: Double?

  /// - Parameter readings: the readings of at least one round.
  init(_ readings: [Contender.Reading], repetitions: Int) {
    sorted = readings.map { $0.value / Double(repetitions) }.sorted()
    peak = readings.compactMap(\.peak).max()
  }

  var median: Double { quantile(0.5) }
  var lowerQuartile: Double { quantile(0.25) }
  var upperQuartile: Double { quantile(0.75) }

  /// A quantile of the figures, interpolated between the two nearest ones.
  private func quantile(_ part: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let place = part * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
