// swift-tools-version: 6.1
import PackageDescription

// On Apple's platforms `import CoreData` is the framework of the system.
let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)

let package = Package(
  name: "Songbook",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../perennial", traits: ["Plugin"])
  ],
  targets: [
    .executableTarget(
      name: "Songbook",
      dependencies: [coreData, .product(name: "Seeding", package: "perennial")],
      resources: [.copy("seed.json")],
      plugins: [.plugin(name: "CoreDataModelPlugin", package: "perennial")]
    ),
    .testTarget(
      name: "SongbookTests",
      dependencies: ["Songbook", coreData, .product(name: "Seeding", package: "perennial")]
    ),
  ]
)
