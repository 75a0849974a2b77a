// swift-tools-version: 6.1
import PackageDescription

let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)
let plugin = Target.PluginUsage.plugin(name: "CoreDataModelPlugin", package: "perennial")

// A program and a library with models and managed objects as they are written for Apple's platforms.
let package = Package(
  name: "Bookshop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "perennial", path: "../../../../..", traits: ["Plugin"])],
  targets: [
    .target(name: "Shelf", dependencies: [coreData], plugins: [plugin]),
    .executableTarget(name: "Bookshop", dependencies: ["Shelf", coreData], plugins: [plugin]),
  ]
)
