import Foundation

/// Requests pages of all kinds at random positions from a server, one after the other.
struct PageWalk {
  private let notes: Int
  /// The kind of each page, and the note at its position.
  private let places: [(kind: Int, note: Int)]

  /// - Parameters:
  ///   - pages: the number of pages, without those that have separate lines.
  ///   - notes: the number of notes in the store.
  init(pages: Int, notes: Int) {
    self.notes = notes
    let kinds = PageKind.all
    let each = max(pages / kinds.count { !$0.isLater }, 1)
    var places: [(kind: Int, note: Int)] = []
    // The positions are the same in each run.
    var generator = SplitMix(state: 19)
    for (index, kind) in kinds.enumerated() {
      for _ in 0..<(kind.isLater ? max(each / 5, 1) : each) {
        // Each position is far enough from the end for a page and a next page.
        places.append((index, Int.random(in: 1..<notes - 200, using: &generator)))
      }
    }
    self.places = places.shuffled(using: &generator)
  }

  func run(
    _ who: String,
    on server: ServedStore,
    _ address: (PageKind) -> PageKind.Address
  ) throws -> ServerFigures {
    let kinds = PageKind.all
    var times = kinds.map { _ in [Double]() }
    var failures = kinds.map { _ in 0 }
    for place in places {
      let kind = kinds[place.kind]
      let address = address(kind)
      var path = address.path(place.note)
      if kind.isNext {
        guard let next = server.nextLink(in: try server.client.get(path).text) else {
          throw BenchmarkFailure(description: "\(who): \(path) has no link to the next page")
        }
        path = next
      }
      let start = ContinuousClock.now
      let page = try server.client.get(path)
      let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
      if page.status == 200, page.text.contains(address.mark) {
        times[place.kind].append(milliseconds)
      } else {
        failures[place.kind] += 1
      }
    }
    let rows = kinds.indices.map { index in
      PageFigures(
        name: kinds[index].name,
        isScan: kinds[index].isScan,
        isLater: kinds[index].isLater,
        times: times[index],
        failures: failures[index]
      )
    }
    return ServerFigures(who: who, rows: rows, peak: try server.peakMemory())
  }
}

/// Random numbers that are the same in each run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
