// swift-tools-version: 6.1
import PackageDescription

let coreData: Target.Dependency = .product(name: "CoreData", package: "perennial")
let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "perennial")]

let package = Package(
  name: "QueryKit",
  dependencies: [.package(name: "perennial", path: "PERENNIAL")],
  targets: [
    .target(name: "QueryKit", dependencies: [coreData], plugins: plugins),
    .testTarget(name: "QueryKitTests", dependencies: ["QueryKit", coreData], plugins: plugins),
  ],
  swiftLanguageModes: [.v5]
)
