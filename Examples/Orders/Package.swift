// swift-tools-version: 6.1
import PackageDescription

// On Apple's platforms `import CoreData` is the framework of the system.
let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)
let coreDataPostgreSQL = Target.Dependency.product(
  name: "CoreDataPostgreSQL",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows], traits: ["PostgreSQL"])
)
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")

let package = Package(
  name: "Orders",
  platforms: [.macOS(.v15)],
  // `swift build --traits PostgreSQL` builds a server for orders that many machines share. It requires libpq.
  traits: [.trait(name: "PostgreSQL", description: "Orders in PostgreSQL")],
  dependencies: [
    .package(
      name: "perennial",
      path: "../..",
      traits: ["Plugin", "Server", .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]
    ),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    // The second store of the load test.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // The tests send requests without a port.
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
  ],
  targets: [
    .target(
      name: "OrderService",
      dependencies: [
        coreData,
        coreDataPostgreSQL,
        hummingbird,
        .product(name: "CoreDataServer", package: "perennial"),
        .product(name: "Seeding", package: "perennial"),
      ],
      resources: [.copy("seed.json")],
      plugins: [.plugin(name: "CoreDataModelPlugin", package: "perennial")]
    ),
    .executableTarget(name: "Orders", dependencies: ["OrderService", hummingbird]),
    .executableTarget(
      name: "OrdersLoad",
      dependencies: [
        "OrderService",
        coreData,
        hummingbird,
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "RouterClient",
      dependencies: [hummingbird, .product(name: "NIOEmbedded", package: "swift-nio")],
      path: "Tests/RouterClient"
    ),
    .testTarget(
      name: "OrdersTests",
      dependencies: [
        "OrderService",
        "RouterClient",
        coreData,
        hummingbird,
      ]
    ),
    .testTarget(
      name: "OrdersLoadTests",
      dependencies: [
        "OrderService",
        "OrdersLoad",
        "RouterClient",
        hummingbird,
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
  ]
)
