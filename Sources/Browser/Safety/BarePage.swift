/// A page without the parts that a store's pages share. A browser that is not signed in receives it.
enum BarePage {
  /// Returns the markup of a page that fits a narrow window. It has the browser's own colors, because the style
  /// sheets are only sent to a browser that is signed in.
  ///
  /// - Parameters:
  ///   - title: the title, which is also the heading.
  ///   - head: further markup of the head.
  ///   - contents: the markup below the heading.
  static func markup(title: String, head: String = "", contents: String) -> String {
    """
    <!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title)</title>\(head)</head>
    <body><main><h1>\(title)</h1>\(contents)</main></body></html>
    """
  }
}
