/// What is to be laid out: boxes, and the lines between them. It knows nothing of what they show.
struct LayoutGraph {
  /// One end of a line: a place at the sides of a box.
  struct End: Hashable {
    /// The number of the box.
    var box: Int
    /// The distance from the top of the box.
    var offset: Double
  }

  /// A line between two boxes, or from one to itself.
  struct Line {
    var from: End
    var to: End
    /// True when the line has to lead from left to right.
    var isDirected = false
    /// The end that the line shares with others, which become one line towards it.
    var shared: SharedEnd?

    enum SharedEnd { case from, to }
  }

  var boxes: [Size]
  var lines: [Line]
}

/// Where boxes and lines are.
struct LayoutResult {
  /// The upper left corner of each box.
  var origins: [Point]
  /// The corners of each line, all of whose parts are level or upright.
  var paths: [[Point]]
  /// The room that all of it takes.
  var size: Size
}

/// Distances of a layout, in pixels.
enum Spacing {
  /// Between two boxes, one above the other.
  static let boxes = 26.0
  /// Between a box and a line that goes past it.
  static let lineAndBox = 14.0
  /// Between two lines that go past boxes side by side.
  static let lines = 9.0
  /// Between a box and the first upright part of a line, which leaves room for an arrowhead.
  static let stub = 24.0
  /// Between two parts that belong together, and that are laid out by themselves.
  static let components = 44.0
}
