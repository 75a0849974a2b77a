import Foundation

/// The limit for the figures of a contender.
enum Bound {
  /// The median is at most this many times that of the workload's first contender.
  case times(Double)
  /// For rates, the median is at least this many times that of the workload's first contender.
  case atLeastTimes(Double)
  /// The median is less than that of another contender in the same rounds.
  case under(String)
  /// The median is at most this figure, in the workload's unit: seconds, MB, per second or an exponent.
  case atMost(Double)
  /// The peak memory of each round is less than this number of MB.
  case peakUnder(Double)

  /// True if the figures of a contender are within the bound.
  func isMet(by figures: Figures, in outcome: Outcome) -> Bool {
    switch self {
    case .times(let bound): figures.median <= bound * outcome.reference.median
    case .atLeastTimes(let bound): figures.median >= bound * outcome.reference.median
    case .under(let other): outcome.figures(of: other).map { figures.median < $0.median } ?? false
    case .atMost(let bound): figures.median <= bound
    case .peakUnder(let bound): figures.peak.map { $0 < bound } ?? false
    }
  }

  /// The largest median within the bound, relative to the first contender's median; `nil` for other kinds of bounds.
  func limit(in outcome: Outcome) -> Double? {
    switch self {
    case .times(let bound): bound
    case .under(let other): outcome.figures(of: other).map { $0.median / outcome.reference.median }
    case .atMost(let bound): bound / outcome.reference.median
    case .atLeastTimes, .peakUnder: nil
    }
  }

  /// The text for the bound.
  ///
  /// - Parameter measure: the kind of the compared figure.
  func text(_ measure: Measure) -> String {
    switch self {
    case .times(let bound): "\(Self.number(bound))"
    case .atLeastTimes(let bound): "at least \(Self.number(bound))"
    case .under(let other): "under \(other)"
    case .atMost(let bound): "\(measure.text(bound))"
    case .peakUnder(let bound): "under \(Self.number(bound)) MB"
    }
  }

  private static func number(_ value: Double) -> String { String(format: "%g", value) }
}
