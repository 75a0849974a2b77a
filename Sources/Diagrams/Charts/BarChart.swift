import Texts

/// Figures as level bars, in groups that have a title each.
///
/// ```swift
/// var chart = BarChart(title: "Times of the C API")
/// chart.groups = [
///   .init(title: "fetch 200000 objects", bars: [.init(label: "managed objects", value: 2.7, bound: 3)])
/// ]
/// print(chart.svg())
/// ```
///
/// The same figures give the same bytes.
public struct BarChart: Sendable {
  /// A figure.
  public struct Bar: Sendable {
    /// The words in front of the bar.
    public var label: String
    /// The figure. One below zero, or none that is finite, has no bar.
    public var value: Double
    /// The figure that the value is not to exceed, marked on the bar; one that it exceeds has another colour.
    public var bound: Double?
    /// The words behind the bar; `nil` for the value with two decimals.
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

  /// Figures that belong together.
  public struct Group: Sendable {
    /// The words over the bars.
    public var title: String
    /// The figures.
    public var bars: [Bar]

    /// Makes a group of figures.
    public init(title: String, bars: [Bar]) {
      self.title = title
      self.bars = bars
    }
  }

  /// The words over the chart.
  public var title: String
  /// The smaller words below the title: what the figures are, and of which machine.
  public var note: String
  /// The figure at which an upright line stands in all groups, such as 1 for what the others are held
  /// against.
  public var reference: Double?
  /// The groups, from top to bottom.
  public var groups: [Group] = []

  /// Makes a chart without figures.
  public init(title: String, note: String = "", reference: Double? = nil) {
    self.title = title
    self.note = note
    self.reference = reference
  }

  /// The chart as SVG, which can be saved as a file or put into a page as it is.
  public func svg(
    colors: DiagramColors = .bySystem,
    includesStyleSheet: Bool = true,
    idPrefix: String = "chart"
  )
    -> String
  {
    var picture = SVGPicture(title: title, description: description, idPrefix: idPrefix)
    let size = BarPicture(self).draw(in: &picture)
    return picture.text(size: size, styleSheet: includesStyleSheet ? colors.styleSheet : nil)
  }

  /// The figures in words, for those who cannot see the bars.
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
  /// The words behind the bar.
  var words: String { caption ?? Self.number(value) }

  /// A number with two decimals.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let hundredths = Int((abs(value) * 100).rounded())
    let rest = hundredths % 100
    return (value < 0 ? "-" : "") + "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
