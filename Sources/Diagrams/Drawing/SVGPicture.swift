import Texts

/// An SVG that is being written: what stands around its contents, and the parts that pictures have in
/// common.
struct SVGPicture {
  private var contents = ""
  private let title: String
  private let description: String
  private let prefix: String

  /// - Parameter idPrefix: the beginning of the `id` of each element.
  init(title: String, description: String, idPrefix: String) {
    self.title = title
    self.description = description
    let letters = idPrefix.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0))
    }
    let text = String(String.UnicodeScalarView(letters))
    prefix = text.first?.isLetter == true ? text : "model" + text
  }

  /// The `id` of an element: letters, digits and hyphens as they are, other characters by their numbers,
  /// so that different names have different ones.
  func id(_ part: String, of name: String? = nil) -> String {
    guard let name else { return "\(prefix)-\(part)" }
    let safe = name.replacingScalars { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
      return isPlain || scalar == "-" ? nil : "_\(String(scalar.value, radix: 16))_"
    }
    return "\(prefix)-\(part)-\(safe)"
  }

  mutating func add(_ markup: String) {
    contents += markup
    contents += "\n"
  }

  /// A text at a point: the left end of its baseline, or the right one.
  mutating func addText(_ text: String, kind: String, at point: Point, isAtEnd: Bool = false) {
    let anchor = isAtEnd ? " text-anchor=\"end\"" : ""
    add(
      "<text class=\"\(kind)\" x=\"\(point.x.svg)\" y=\"\(point.y.svg)\"\(anchor)>\(MarkupText(text))</text>"
    )
  }

  /// The whole of the picture.
  ///
  /// - Parameter hasLinks: true when there are links in it, which programs that read pages aloud look for
  ///   only where the picture is not one image.
  /// - Parameter scalesToPage: true to leave out the size in pixels: the picture is as large as its place then.
  func text(size: Size, styleSheet: String?, hasLinks: Bool = false, scalesToPage: Bool = false) -> String {
    let (width, height) = (size.width.rounded(.up).svg, size.height.rounded(.up).svg)
    // Links are reached within a group; checkers of accessibility know no role of graphics for it.
    let role = hasLinks ? "group" : "img"
    let pixels = scalesToPage ? "" : " width=\"\(width)\" height=\"\(height)\""
    let (titleID, descriptionID) = (id("title"), id("description"))
    let style = styleSheet.map { "<style>\n\($0)</style>\n" } ?? ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="dg-picture"\(pixels) \
      viewBox="0 0 \(width) \(height)" role="\(role)" aria-labelledby="\(titleID)" \
      aria-describedby="\(descriptionID)">
      <title id="\(titleID)">\(MarkupText(title))</title>
      <desc id="\(descriptionID)">\(MarkupText(description))</desc>
      \(style)<rect class="dg-background" width="\(width)" height="\(height)"/>
      \(contents)</svg>

      """
  }
}
