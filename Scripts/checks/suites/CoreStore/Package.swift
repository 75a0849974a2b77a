// swift-tools-version: 6.1
import PackageDescription

let coreData: Target.Dependency = .product(name: "CoreData", package: "perennial")
let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "perennial")]

let package = Package(
  name: "CoreStore",
  dependencies: [.package(name: "perennial", path: "PERENNIAL")],
  targets: [
    .target(name: "CoreStore", dependencies: [coreData], path: "Sources", plugins: plugins),
    .testTarget(
      name: "CoreStoreTests",
      dependencies: ["CoreStore", coreData],
      path: "CoreStoreTests",
      exclude: ["Info.plist"],
      plugins: plugins
    ),
  ],
  swiftLanguageModes: [.v5]
)
