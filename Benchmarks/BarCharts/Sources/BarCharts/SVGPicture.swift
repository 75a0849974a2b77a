/// An SVG document that is being written.
struct SVGPicture {
  private var contents = ""
  private let title: String
  private let description: String

  /// Makes an empty picture.
  ///
  /// - Parameter description: the text that a screen reader reads instead of the picture.
  init(title: String, description: String) {
    self.title = title
    self.description = description
  }

  mutating func add(_ markup: String) {
    contents += markup
    contents += "\n"
  }

  /// Adds a text. The coordinates are those of the left end of its baseline, or of the right end with `isAtEnd`.
  mutating func addText(_ text: String, kind: String, x: Double, y: Double, isAtEnd: Bool = false) {
    let anchor = isAtEnd ? " text-anchor=\"end\"" : ""
    add("<text class=\"\(kind)\" x=\"\(x.svg)\" y=\"\(y.svg)\"\(anchor)>\(text.markup)</text>")
  }

  /// Returns the complete SVG document, with its size in pixels.
  func text(width: Double, height: Double) -> String {
    let (width, height) = (width.rounded(.up).svg, height.rounded(.up).svg)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="chart" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="chart-title" \
      aria-describedby="chart-description">
      <title id="chart-title">\(title.markup)</title>
      <desc id="chart-description">\(description.markup)</desc>
      <style>
      \(ChartStyle.sheet)</style>
      <rect class="chart-background" width="\(width)" height="\(height)"/>
      \(contents)</svg>

      """
  }
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
