/// Lines and their ends as SVG path data.
enum LinePath {
  /// Returns a line through points, with rounded corners.
  static func rounded(_ corners: [Point]) -> String {
    guard let first = corners.first, let last = corners.last else { return "" }
    var text = "M\(first.x.svg) \(first.y.svg)"
    for index in corners.indices.dropFirst().dropLast() {
      let (before, corner, after) = (corners[index - 1], corners[index], corners[index + 1])
      let radius = min(6, length(before, other: corner) / 2, length(corner, other: after) / 2)
      guard radius > 0.05 else { continue }
      let start = step(from: corner, to: before, distance: radius)
      let end = step(from: corner, to: after, distance: radius)
      text += "L\(start.x.svg) \(start.y.svg)Q\(corner.x.svg) \(corner.y.svg) \(end.x.svg) \(end.y.svg)"
    }
    return text + "L\(last.x.svg) \(last.y.svg)"
  }

  /// Returns one arrowhead, or several in a row.
  static func arrowheads(_ count: Int, at tip: Point, from before: Point) -> String {
    let back = before.x < tip.x ? -1.0 : 1.0
    return (0..<count).map { number in
      let x = tip.x + back * Double(number) * 7
      return "M\(x.svg) \(tip.y.svg)L\((x + back * 8).svg) \((tip.y - 4).svg)V\((tip.y + 4).svg)Z"
    }.joined()
  }

  /// Returns the triangle at the parent's end of an inheritance line.
  static func triangle(at tip: Point, from before: Point) -> String {
    let back = before.x < tip.x ? -1.0 : 1.0
    return "M\(tip.x.svg) \(tip.y.svg)L\((tip.x + back * 12).svg) \((tip.y - 6.5).svg)V\((tip.y + 6.5).svg)Z"
  }

  private static func length(_ one: Point, other: Point) -> Double { abs(one.x - other.x) + abs(one.y - other.y) }

  /// Returns the point on a horizontal or vertical line at a distance from a corner.
  private static func step(from corner: Point, to other: Point, distance: Double) -> Point {
    if abs(other.x - corner.x) > abs(other.y - corner.y) {
      return Point(x: corner.x + (other.x < corner.x ? -distance : distance), y: corner.y)
    }
    return Point(x: corner.x, y: corner.y + (other.y < corner.y ? -distance : distance))
  }
}
