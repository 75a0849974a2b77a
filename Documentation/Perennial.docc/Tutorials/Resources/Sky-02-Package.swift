// swift-tools-version: 6.1
import PackageDescription

// On Apple's platforms `import CoreData` is the framework of the system.
let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)

let package = Package(
  name: "Sky",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../perennial", traits: ["Plugin"])
  ],
  targets: [
    .executableTarget(
      name: "Sky",
      dependencies: [coreData, .product(name: "Seeding", package: "perennial")],
      resources: [.copy("Sky.sqlite"), .copy("Seeds")],
      plugins: [.plugin(name: "CoreDataModelPlugin", package: "perennial")]
    )
  ]
)
