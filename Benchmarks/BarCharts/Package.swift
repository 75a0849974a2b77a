// swift-tools-version: 6.1
import PackageDescription

// The package needs no other one, so that its tests build in seconds: see Scripts/checks/bar-charts.
let package = Package(
  name: "BarCharts",
  platforms: [.macOS(.v15)],
  products: [.library(name: "BarCharts", targets: ["BarCharts"])],
  targets: [
    .target(name: "BarCharts", swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
      name: "BarChartsTests",
      dependencies: ["BarCharts"],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
  ]
)
