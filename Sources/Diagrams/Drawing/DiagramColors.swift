/// The colors of a picture.
///
/// The colors are CSS variables (`--dg-box`, `--dg-text` and so on) on the class `dg-picture`, so that a page can
/// override them. A program that does not support CSS variables shows the light or dark colors that are also
/// written directly.
public enum DiagramColors: String, CaseIterable, Sendable {
  /// Light or dark, depending on the viewer's system setting.
  case bySystem
  /// Always light.
  case light
  /// Always dark.
  case dark

  /// The style sheet for pictures in these colors.
  public var styleSheet: String {
    let values = self == .dark ? Self.darkValues : Self.lightValues
    var text = ".dg-picture{\(Self.variables(values))}\n"
    if self == .bySystem {
      text += "@media (prefers-color-scheme:dark){.dg-picture{\(Self.variables(Self.darkValues))}}\n"
    }
    return text + Self.rules(values)
  }

  private static func variables(_ values: KeyValuePairs<String, String>) -> String {
    values.map { "--dg-\($0):\($1)" }.joined(separator: ";")
  }

  private static let lightValues: KeyValuePairs = [
    "background": "#ffffff", "box": "#ffffff", "header": "#e8eef7", "abstract": "#f0ebf7",
    "border": "#7c8798", "text": "#1a1e24", "muted": "#566070", "rule": "#d5dbe4",
    "relationship": "#3767a6", "inheritance": "#7a4fa3",
  ]

  private static let darkValues: KeyValuePairs = [
    "background": "#12151a", "box": "#1b2027", "header": "#283447", "abstract": "#342d45",
    "border": "#66717f", "text": "#e8ecf2", "muted": "#a8b2c0", "rule": "#343c48",
    "relationship": "#86b2f0", "inheritance": "#c7a6ee",
  ]

  /// Returns the rules. Each color is written twice: directly, for programs that ignore CSS variables, and as a
  /// variable.
  private static func rules(_ values: KeyValuePairs<String, String>) -> String {
    func color(_ property: String, name: String) -> String {
      let value = values.first { $0.key == name }?.value ?? "#000000"
      return "\(property):\(value);\(property):var(--dg-\(name))"
    }
    return """
      .dg-picture text{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif;\
      \(color("fill", name: "text"))}
      .dg-background{\(color("fill", name: "background"))}
      .dg-heading{font-size:16px;font-weight:600}
      .dg-box{\(color("fill", name: "box"));\(color("stroke", name: "border"))}
      .dg-header{\(color("fill", name: "header"))}
      .dg-abstract .dg-header{\(color("fill", name: "abstract"))}
      .dg-abstract .dg-box{stroke-dasharray:5 3}
      .dg-chosen .dg-box{\(color("stroke", name: "relationship"));stroke-width:3}
      .dg-name{font-size:14px;font-weight:600}
      .dg-abstract .dg-name{font-style:italic}
      .dg-row{font-size:12px}
      .dg-transient{font-style:italic}
      .dg-unique{text-decoration:underline}
      .dg-picture .dg-detail,.dg-picture .dg-caption,.dg-picture .dg-note{font-size:11px;\
      \(color("fill", name: "muted"))}
      .dg-picture .dg-more{\(color("fill", name: "muted"))}
      .dg-rule{\(color("stroke", name: "rule"))}
      .dg-line path{fill:none;stroke-width:1.4}
      .dg-relationship path{\(color("stroke", name: "relationship"))}
      .dg-relationship .dg-head{\(color("fill", name: "relationship"));stroke:none}
      .dg-inheritance path{\(color("stroke", name: "inheritance"))}
      .dg-inheritance .dg-head{\(color("fill", name: "background"));\(color("stroke", name: "inheritance"));\
      stroke-width:1.4}
      .dg-picture a{text-decoration:none}

      """
  }
}
