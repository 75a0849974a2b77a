/// The lines between two columns, grouped into nets.
///
/// Lines with a common end form one net. A net is drawn with one vertical segment, which all of its horizontal
/// segments meet.
struct ChannelNets {
  /// A net: the heights at which its horizontal segments lead to the left and to the right.
  struct Net {
    var lefts: [Double] = []
    var rights: [Double] = []
    /// The links of the net.
    var links: [Int] = []
    var least = Double.infinity
    var most = -Double.infinity

    /// True when the net leads straight from one column to the next.
    var isLevel: Bool { most - least < 0.5 && !rights.isEmpty }

    mutating func add(_ height: Double, toLeft: Bool) {
      (least, most) = (min(least, height), max(most, height))
      if toLeft { lefts.append(height) } else { rights.append(height) }
    }
  }

  private(set) var nets: [Net] = []

  /// Groups the links to the right of a column.
  ///
  /// - Parameters:
  ///   - column: the column to the left of the links.
  ///   - height: returns the height of a pin at one of its two sides.
  init(_ graph: ColumnGraph, rightOf column: Int, height: (ColumnGraph.Pin, _ isLeft: Bool) -> Double) {
    struct Side: Hashable {
      var pin: ColumnGraph.Pin
      var isLeft: Bool
    }
    var links: [Int] = []
    for item in graph.columns[column] {
      links += graph.items[item].right
      links += graph.items[item].within.filter { graph.links[$0].start.item == item }
    }
    var sides: [[Side]] = []
    for index in links {
      let link = graph.links[index]
      let isWithinColumn = graph.items[link.end.item].column == column
      sides.append([Side(pin: link.start, isLeft: true), Side(pin: link.end, isLeft: isWithinColumn)])
    }
    // Links of one net are joined to its first link.
    var parents = Array(links.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parents[index] != index {
        parents[index] = parents[parents[index]]
        index = parents[index]
      }
      return index
    }
    var owners: [Side: Int] = [:]
    for (index, both) in sides.enumerated() {
      for side in both {
        guard let owner = owners[side] else {
          owners[side] = index
          continue
        }
        let (one, other) = (root(owner), root(index))
        parents[max(one, other)] = min(one, other)
      }
    }
    var numbers: [Int: Int] = [:]
    for (index, both) in sides.enumerated() {
      let root = root(index)
      let number = numbers[root] ?? nets.count
      if number == nets.count {
        numbers[root] = number
        nets.append(Net())
      }
      nets[number].links.append(links[index])
      for side in both where owners[side] == index {
        nets[number].add(height(side.pin, side.isLeft), toLeft: side.isLeft)
      }
    }
  }
}
