/// The fonts and colors of a chart: light or dark, depending on the viewer's system setting.
enum ChartStyle {
  /// The style sheet. A program that does not support media queries shows the light colors.
  static let sheet = """
    .chart text{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
    .chart-heading{font-size:16px;font-weight:600}
    .chart-group{font-size:14px;font-weight:600}
    .chart-label{font-size:12px}
    .chart-caption,.chart-note{font-size:11px}
    .chart-bound{stroke-width:2}
    \(rules(of: light))@media (prefers-color-scheme:dark){
    \(rules(of: dark))}

    """

  /// The colors of one of the two settings.
  private struct Colors {
    let background: String
    let text: String
    let muted: String
    let reference: String
    let bar: String
    let baseline: String
    let missed: String
  }

  private static let light = Colors(
    background: "#ffffff",
    text: "#1a1e24",
    muted: "#566070",
    reference: "#d5dbe4",
    bar: "#3f78c2",
    baseline: "#a9b2bf",
    missed: "#b4532a"
  )

  private static let dark = Colors(
    background: "#12151a",
    text: "#e8ecf2",
    muted: "#a8b2c0",
    reference: "#343c48",
    bar: "#6ea5ec",
    baseline: "#5d6877",
    missed: "#e58a5f"
  )

  private static func rules(of colors: Colors) -> String {
    """
    .chart text{fill:\(colors.text)}
    .chart .chart-caption,.chart .chart-note{fill:\(colors.muted)}
    .chart-background{fill:\(colors.background)}
    .chart-reference{stroke:\(colors.reference)}
    .chart-bound{stroke:\(colors.text)}
    .chart-bar{fill:\(colors.bar)}
    .chart-baseline{fill:\(colors.baseline)}
    .chart-missed{fill:\(colors.missed)}

    """
  }
}
