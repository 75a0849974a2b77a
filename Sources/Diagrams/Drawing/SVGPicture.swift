import Texts

/// An SVG document that is being written: its outer elements, and the elements that all pictures share.
struct SVGPicture {
  private var contents = ""
  private let title: String
  private let description: String
  private let prefix: String

  /// Makes an empty picture.
  ///
  /// - Parameter idPrefix: the prefix of each element's `id`.
  init(title: String, description: String, idPrefix: String) {
    self.title = title
    self.description = description
    let letters = idPrefix.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0))
    }
    let text = String(String.UnicodeScalarView(letters))
    prefix = text.first?.isLetter == true ? text : "model" + text
  }

  /// Returns the `id` of an element. Letters, digits and hyphens stay, other characters are replaced by their code
  /// points, so that different names have different identifiers.
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

  /// Adds a text. The point is the left end of its baseline, or the right end with `isAtEnd`.
  mutating func addText(_ text: String, kind: String, at point: Point, isAtEnd: Bool = false) {
    let anchor = isAtEnd ? " text-anchor=\"end\"" : ""
    add("<text class=\"\(kind)\" x=\"\(point.x.svg)\" y=\"\(point.y.svg)\"\(anchor)>\(MarkupText(text))</text>")
  }

  /// Returns the complete SVG document.
  ///
  /// - Parameter hasLinks: true when the picture contains links. Screen readers do not look for links in an element
  ///   whose role is `img`.
  /// - Parameter scalesToPage: true to leave out the size in pixels, so that the picture fills its container.
  func text(size: Size, styleSheet: String?, hasLinks: Bool = false, scalesToPage: Bool = false) -> String {
    let (width, height) = (size.width.rounded(.up).svg, size.height.rounded(.up).svg)
    // A group makes its links reachable. It has no graphics role, because accessibility checkers do not know those
    // roles.
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
