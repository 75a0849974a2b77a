/// The numbers by which ordered relationships are sorted: 2048, 3072, 4096 and so on, as in
/// Apple-made stores, with gaps for destinations that are moved later.
enum SQLOrderKeys {
  static let first: Int64 = 2048
  static let step: Int64 = 1024

  /// The new places of the destinations that have to move.
  ///
  /// As many destinations as possible keep their place: those of the longest increasing subsequence. The others get
  /// numbers in the gaps. If a gap is too small, all destinations are renumbered.
  ///
  /// - Parameters:
  ///   - destinations: the destinations in their new order.
  ///   - current: the places that they have.
  static func changes(_ destinations: [Int64], _ current: [Int64: Int64]) -> [(key: Int64, place: Int64)] {
    let unmoved = LongestIncreasingSubsequence.longest(destinations.map { current[$0] })
    var changes: [(key: Int64, place: Int64)] = []
    var index = 0
    var previous: Int64?
    while index < destinations.count {
      if unmoved[index] {
        previous = current[destinations[index]]
        index += 1
        continue
      }
      let end = (index..<destinations.count).first { unmoved[$0] } ?? destinations.count
      let next = end < destinations.count ? current[destinations[end]] : nil
      guard let places = places(end - index, after: previous, before: next) else { return renumbered(destinations) }
      changes += zip(destinations[index..<end], places).map { ($0, $1) }
      index = end
    }
    return changes
  }

  private static func renumbered(_ destinations: [Int64]) -> [(key: Int64, place: Int64)] {
    destinations.enumerated().map { ($1, first + Int64($0) * step) }
  }

  /// Places between two others; `nil` when the gap is too small.
  private static func places(_ count: Int, after previous: Int64?, before next: Int64?) -> [Int64]? {
    let count = Int64(count)
    // A file may have any numbers. Next to extreme numbers there may be no gap, so all destinations are renumbered.
    if let farthest = [previous, next].compactMap({ $0?.magnitude }).max(), farthest > 1 << 60 { return nil }
    guard let next else {
      let start = previous.map { $0 + step } ?? first
      return (0..<count).map { start + $0 * step }
    }
    guard let previous else {
      return (0..<count).map { next - (count - $0) * step }
    }
    let gap = (next - previous) / (count + 1)
    return gap > 0 ? (0..<count).map { previous + ($0 + 1) * gap } : nil
  }
}
