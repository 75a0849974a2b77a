/// A point of a drawing, in pixels from the upper left corner.
struct Point: Hashable, Sendable {
  var x: Double
  var y: Double

  static func + (point: Point, offset: Point) -> Point { Point(x: point.x + offset.x, y: point.y + offset.y) }
}

/// The width and height of a part of a drawing, in pixels.
struct Size: Hashable, Sendable {
  var width: Double
  var height: Double
}

/// A rectangle of a drawing.
struct Rectangle: Hashable, Sendable {
  var origin: Point
  var size: Size

  var right: Double { origin.x + size.width }
  var bottom: Double { origin.y + size.height }
}

extension Double {
  /// The number as SVG text, rounded to a tenth of a pixel. Equal numbers give equal text on every platform.
  var svg: String {
    guard isFinite, abs(self) < 1e12 else { return "0" }
    let tenths = Int((self * 10).rounded())
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }
}
