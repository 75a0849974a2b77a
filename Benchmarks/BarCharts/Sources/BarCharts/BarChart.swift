/// A chart of horizontal bars in groups, each with a title.
///
/// ```swift
/// var chart = BarChart(title: "Times of the C API")
/// chart.groups = [
///   .init(title: "fetch 200000 objects", bars: [.init(label: "managed objects", value: 2.7, bound: 3)])
/// ]
/// print(chart.svg())
/// ```
///
/// Equal figures give equal bytes.
public struct BarChart: Sendable {
  /// A figure.
  public struct Bar: Sendable {
    /// The text before the bar.
    public var label: String
    /// The figure. A negative value, and a value that is not finite, has no bar.
    public var value: Double
    /// The upper bound of the value, marked on the bar. A bar that exceeds it has another color.
    public var bound: Double?
    /// The text after the bar; `nil` for the value with two decimals.
    public var caption: String?

    /// Makes a figure.
    public init(label: String, value: Double, bound: Double? = nil, caption: String? = nil) {
      self.label = label
      self.value = value
      self.bound = bound
      self.caption = caption
    }

    /// True when the value exceeds its bound.
    public var isMissed: Bool { bound.map { value > $0 } ?? false }
  }

  /// A group of related figures.
  public struct Group: Sendable {
    /// The title above the bars.
    public var title: String
    /// The figures.
    public var bars: [Bar]

    /// Makes a group of figures.
    public init(title: String, bars: [Bar]) {
      self.title = title
      self.bars = bars
    }
  }

  /// The title above the chart.
  public var title: String
  /// The smaller text below the title, such as the meaning of the figures and the machine that they were measured
  /// on.
  public var note: String
  /// The figure that a vertical line marks in all groups, such as 1 for the baseline of a comparison.
  public var reference: Double?
  /// The groups, from top to bottom.
  public var groups: [Group] = []

  /// Makes a chart without figures.
  public init(title: String, note: String = "", reference: Double? = nil) {
    self.title = title
    self.note = note
    self.reference = reference
  }

  /// Returns the chart as SVG, which can be saved as a file or embedded in a page.
  public func svg() -> String {
    var picture = SVGPicture(title: title, description: description)
    let size = BarPicture(self).draw(in: &picture)
    return picture.text(width: size.width, height: size.height)
  }

  /// The figures as text, for readers who cannot see the bars.
  private var description: String {
    let groups = groups.prefix(200).map { group in
      let bars = group.bars.prefix(50).map {
        "\($0.label) \($0.words)\($0.isMissed ? ", over its bound" : "")"
      }
      return "\(group.title): \(bars.joined(separator: "; "))"
    }
    return ([note] + groups).filter { !$0.isEmpty }.joined(separator: ". ") + "."
  }
}

extension BarChart.Bar {
  /// The text after the bar.
  var words: String { caption ?? Self.number(value) }

  /// Returns a number with two decimals.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let hundredths = Int((abs(value) * 100).rounded())
    let rest = hundredths % 100
    return (value < 0 ? "-" : "") + "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
