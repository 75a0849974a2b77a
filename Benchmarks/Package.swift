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

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  traits: [.trait(name: "PostgreSQL", description: "The benchmarks of stores in PostgreSQL")],
  dependencies: [
    .package(
      name: "perennial",
      path: "..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]
    ),
    // The bar charts of the reports.
    .package(path: "BarCharts"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(name: "CMemory"),
    // A loader of notes in C, which does only the necessary work.
    .target(name: "CNotes", linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // The model and objects with ten integers.
    .target(name: "Samples", dependencies: [coreData], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CMemory",
        "NoteSeeds",
        "Samples",
        coreData,
        .product(name: "BarCharts", package: "BarCharts"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "PostgreSQLBenchmarks",
      dependencies: [
        "Samples",
        .target(name: "CLibpq", condition: .when(traits: ["PostgreSQL"])),
        coreData,
        coreDataPostgreSQL,
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    // The workloads that Scripts/measure/instructions counts.
    .executableTarget(
      name: "InstructionCounts",
      dependencies: ["NoteSeeds", "Samples", coreData],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    // A generator of files of notes with categories and tags, and their model.
    .target(name: "NoteSeeds", dependencies: [coreData], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "BrowserBenchmarks",
      dependencies: [
        "NoteSeeds",
        coreData,
        .product(name: "BarCharts", package: "BarCharts"),
        .product(name: "Seeding", package: "perennial"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "SeedingBenchmarks",
      dependencies: [
        "CNotes",
        "NoteSeeds",
        coreData,
        coreDataPostgreSQL,
        .product(name: "Seeding", package: "perennial"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
  ]
)
