import Foundation

/// Measures how a time grows with the size of the work.
enum Growth {
  /// The slope of the least-squares line through the logarithms of sizes and times; `nil` for fewer than two
  /// points. With a slope of 1, ten times the size takes ten times as long.
  static func exponent(_ points: [(size: Int, seconds: Double)]) -> Double? {
    guard points.count > 1 else { return nil }
    let points = points.map { (x: log(Double($0.size)), y: log($0.seconds)) }
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.x } / count
    let y = points.reduce(0) { $0 + $1.y } / count
    let products = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
    let squares = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
    return products / squares
  }
}
