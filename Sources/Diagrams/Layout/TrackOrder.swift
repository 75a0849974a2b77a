/// The order of vertical segments between two columns, chosen so that few lines cross and no two overlap.
struct TrackOrder {
  private let nets: [ChannelNets.Net]
  /// The cost of placing one net to the left of another, by the two nets' numbers.
  private var costs: [Double]
  private var order: [Int]

  /// The distance below which horizontal segments of two nets look like one, in pixels.
  static let nearness = 4.0
  /// The distance that two vertical segments in one track need between them, in pixels.
  static let clearance = 7.0

  /// Prepares the search.
  ///
  /// - Parameter nets: the nets with vertical segments.
  init(_ nets: [ChannelNets.Net]) {
    self.nets = nets
    order = nets.indices.sorted { (nets[$0].least, $0) < (nets[$1].least, $1) }
    costs = []
  }

  /// Returns the track of each net, from 0.
  mutating func tracks() -> [Int] {
    // A channel of more than 320 nets keeps the order of heights, because the search takes the square of their number.
    if nets.count <= 320 {
      measure()
      for _ in 0..<6 where !improve() { break }
    }
    return assign()
  }

  /// Returns the pairs of nets whose horizontal segments overlap, where the first net is to the left of the second.
  func overlaps(_ tracks: [Int]) -> [(left: Int, right: Int)] {
    var pairs: [(left: Int, right: Int)] = []
    for left in nets.indices {
      for right in nets.indices where tracks[left] < tracks[right] {
        if hasOverlap(left, right: right) { pairs.append((left, right)) }
      }
    }
    return pairs
  }

  private func isApart(_ one: Int, other: Int) -> Bool {
    nets[one].least > nets[other].most + Self.clearance || nets[other].least > nets[one].most + Self.clearance
  }

  private func hasOverlap(_ left: Int, right: Int) -> Bool {
    if isApart(left, other: right) { return false }
    return nets[left].rights.contains { height in
      nets[right].lefts.contains { abs($0 - height) < Self.nearness }
    }
  }

  private mutating func measure() {
    costs = [Double](repeating: 0, count: nets.count * nets.count)
    for left in nets.indices {
      for right in nets.indices where left != right && !isApart(left, other: right) {
        var cost = hasOverlap(left, right: right) ? 1000.0 : 0
        for height in nets[left].rights where height > nets[right].least && height < nets[right].most { cost += 1 }
        for height in nets[right].lefts where height > nets[left].least && height < nets[left].most { cost += 1 }
        costs[left * nets.count + right] = cost
      }
    }
  }

  /// Moves each net to the position with the least cost.
  ///
  /// - Returns: true when a net moved.
  private mutating func improve() -> Bool {
    var isChanged = false
    for net in nets.indices {
      let present = order.firstIndex(of: net) ?? 0
      order.remove(at: present)
      // The cost of each position, relative to the first position's cost.
      var cost = 0.0
      var (best, least) = (0, 0.0)
      var presentCost = 0.0
      for (index, other) in order.enumerated() {
        cost += costs[other * nets.count + net] - costs[net * nets.count + other]
        if cost < least { (best, least) = (index + 1, cost) }
        if index + 1 == present { presentCost = cost }
      }
      if presentCost <= least { best = present } else { isChanged = true }
      order.insert(net, at: best)
    }
    return isChanged
  }

  /// Assigns each net the first track to the right of the earlier nets that overlap it vertically.
  private func assign() -> [Int] {
    var tracks = [Int](repeating: 0, count: nets.count)
    for (index, net) in order.enumerated() {
      var track = 0
      for other in order[..<index] where tracks[other] >= track && !isApart(net, other: other) {
        track = tracks[other] + 1
      }
      tracks[net] = track
    }
    return tracks
  }
}
