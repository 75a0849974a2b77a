/// The input of a layout: boxes, and the lines between them, without their contents.
struct LayoutGraph {
  /// One end of a line: a position at a side of a box.
  struct End: Hashable {
    /// The index of the box.
    var box: Int
    /// The distance from the top of the box.
    var offset: Double
  }

  /// A line between two boxes, or from a box to itself.
  struct Line {
    var from: End
    var to: End
    /// True when the line must lead from left to right.
    var isDirected = false
    /// The end that the line shares with other lines. Near that end they are drawn as one line.
    var shared: SharedEnd?

    enum SharedEnd { case from, to }
  }

  var boxes: [Size]
  var lines: [Line]
}

/// The positions of boxes and lines.
struct LayoutResult {
  /// The upper left corner of each box.
  var origins: [Point]
  /// The corners of each line. All segments are horizontal or vertical.
  var paths: [[Point]]
  /// The size of the whole layout.
  var size: Size
}

/// Distances of a layout, in pixels.
enum Spacing {
  /// Between two boxes in a column.
  static let boxes = 26.0
  /// Between a box and a line that passes above or below it.
  static let lineAndBox = 14.0
  /// Between two lines that pass through a column.
  static let lines = 9.0
  /// Between a box and the first vertical segment of a line. The space fits an arrowhead.
  static let stub = 24.0
  /// Between two connected components, which are laid out separately.
  static let components = 44.0
}
