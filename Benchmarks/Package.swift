// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CMemory"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMemory",
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        ),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "SeedingBenchmarks",
      dependencies: [
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        ),
        .product(name: "Seeding", package: "perennial"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
  ]
)
