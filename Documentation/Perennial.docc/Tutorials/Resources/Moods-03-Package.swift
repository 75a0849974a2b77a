// swift-tools-version: 6.1
import PackageDescription

// On Apple's platforms `import CoreData` is the framework of the system.
let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)

let package = Package(
  name: "Moods",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../perennial", traits: ["Plugin"])
  ],
  targets: [
    .executableTarget(
      name: "Moods",
      dependencies: [coreData],
      plugins: [.plugin(name: "CoreDataModelPlugin", package: "perennial")]
    )
  ]
)
