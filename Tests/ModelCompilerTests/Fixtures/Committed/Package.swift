// swift-tools-version: 6.1
import PackageDescription

let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)

// The package Bookshop without the plugin: what it would make is in the targets' folders Generated.
let package = Package(
  name: "Bookshop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "perennial", path: "../../../..")],
  targets: [
    .target(
      name: "Shelf",
      dependencies: [coreData],
      exclude: ["Models"],
      resources: [.copy("Generated/Shelf.momd"), .copy("Generated/Shelf1to2.cdm")]
    ),
    .executableTarget(
      name: "Bookshop",
      dependencies: ["Shelf", coreData],
      exclude: ["Orders.xcdatamodel"],
      resources: [.copy("Generated/Orders.momd")]
    ),
  ]
)
