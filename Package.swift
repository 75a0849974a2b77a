// swift-tools-version: 6.2
import PackageDescription

/// The platforms that have no Core Data of their own: only there may a target depend on ours.
let withoutCoreData: TargetDependencyCondition? = .when(platforms: [.linux, .android, .windows])

/// Which part of the package the scripts build. It is not set where another package depends on this one.
///
/// * `whole`: everything that a trait adds, whichever traits a package names, and the programs that only tests use. The scripts
///   build this package and its examples so, because another set of traits compiles every module anew.
/// * `light`: only the modules below `CoreData`, with their tests. They need no other package.
let part = Context.environment["PERENNIAL_PART"]
let traits = ["Browser", "Command", "Plugin", "PostgreSQL", "Server", "YAML"]

func trait(_ name: String, enabling others: Set<String> = [], _ description: String) -> Trait {
  // The compiler gets the names of traits in an order that depends on which ones a package names. With these three, the order is
  // the same in this package and in the examples that name Plugin and Server. `settings` defines the other traits.
  let three: Set = ["Browser", "Plugin", "Server"]
  let enabled = part == "whole" && ["Plugin", "Server"].contains(name) ? three.subtracting([name]) : others
  return .trait(name: name, description: description, enabledTraits: enabled)
}

/// What brings further packages along. A package that depends on this one and names no trait resolves none of them.
func when(_ trait: String) -> TargetDependencyCondition? { part == "whole" ? nil : .when(traits: [trait]) }
let yaml = when("YAML")
let plugin = when("Plugin")
let command = when("Command")
let server = when("Server")
let postgreSQL = when("PostgreSQL")
/// The platforms and the trait with which a target can have stores in PostgreSQL.
let postgreSQLStore: TargetDependencyCondition? =
  part == "whole" ? withoutCoreData : .when(platforms: [.linux, .android, .windows], traits: ["PostgreSQL"])
let browser = when("Browser")

/// The compiler parses and imports a whole module for each batch of its files, and makes a batch for each core. One batch takes about
/// a sixth less of the processor's time, and modules that do not need each other are compiled side by side.
func batches(_ count: Int) -> [SwiftSetting] {
  part == "whole" ? [.unsafeFlags(["-driver-batch-count", "\(count)"])] : []
}

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (part == "whole" ? traits.map { .define($0) } : []) + batches(1)

let package = Package(
  name: "perennial",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
    .library(name: "CoreDataServer", targets: ["CoreDataServer"]),
    .library(name: "Predicates", targets: ["Predicates"]),
    .library(name: "ModelFormats", targets: ["ModelFormats"]),
    .library(name: "Seeding", targets: ["Seeding"]),
    .library(name: "RemoteSeeding", targets: ["RemoteSeeding"]),
    .library(name: "DataGeneration", targets: ["DataGeneration"]),
    .library(name: "Browser", targets: ["Browser"]),
    .library(name: "Diagrams", targets: ["Diagrams"]),
    .executable(name: "perennial", targets: ["perennial"]),
    .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
  ],
  traits: [
    trait("YAML", "Seeds in YAML"),
    trait("Plugin", "The plugin that compiles models and writes the accessors of @NSManaged"),
    trait("Command", enabling: ["YAML", "Plugin", "Browser"], "The command perennial"),
    trait("Browser", "The product Browser: pages in which people look at a store"),
    trait("Server", "The product CoreDataServer: metrics, traces and the life cycle of a server's stores"),
    trait(
      "PostgreSQL",
      "The product CoreDataPostgreSQL: stores in PostgreSQL, over libpq (libpq-dev on Debian)"
    ),
    .default(enabledTraits: part == "whole" ? ["Plugin", "Server"] : []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.9.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.5.0"),
    // Its default traits add swift-configuration, which no target here uses.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
  ],
  targets: [
    .target(name: "Predicates", swiftSettings: settings),
    .target(name: "CDigests"),
    .target(name: "Digests", dependencies: ["CDigests"], swiftSettings: settings),
    .target(name: "Files", swiftSettings: settings),
    .target(name: "PropertyLists", swiftSettings: settings),
    .target(name: "Semaphores", swiftSettings: settings),
    .target(name: "Texts", swiftSettings: settings),
    .target(
      name: "ModelFormats",
      dependencies: ["Digests", "Files", "Predicates", "PropertyLists", "Texts"],
      swiftSettings: settings
    ),
    .target(name: "Diagrams", dependencies: ["ModelFormats", "Texts"], swiftSettings: settings),
    .target(name: "CRuntime"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]),
    .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: settings),
    .systemLibrary(
      name: "CSystemSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]
    ),
    .target(name: "SQLiteDriver", dependencies: ["CSystemSQLite"], swiftSettings: settings),
    .systemLibrary(
      name: "CPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]
    ),
    .target(
      name: "PostgreSQLDriver",
      dependencies: ["Semaphores", .target(name: "CPostgreSQL", condition: postgreSQL)],
      swiftSettings: settings
    ),
    .target(
      name: "CoreData",
      dependencies: [
        "Files",
        "Predicates",
        "ModelFormats",
        "PropertyLists",
        "CRuntime",
        "Deflate",
        "Digests",
        "Semaphores",
        "Texts",
        "CSystemSQLite",
        "SQLiteDriver",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    // A program that links it can open stores in PostgreSQL.
    .target(
      name: "CoreDataPostgreSQL",
      dependencies: [
        .target(name: "CoreData", condition: withoutCoreData),
        "CRuntime",
        "Deflate",
        "Digests",
        "ModelFormats",
        .target(name: "PostgreSQLDriver", condition: postgreSQL),
        "Predicates",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "CoreDataServer",
      dependencies: [
        .target(name: "CoreData", condition: withoutCoreData),
        .product(name: "Metrics", package: "swift-metrics", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: server),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Seeding",
      dependencies: [
        .target(name: "CoreData", condition: withoutCoreData),
        "Deflate",
        "Digests",
        "Files",
        "ModelFormats",
        "PropertyLists",
        "Texts",
        .product(name: "Yams", package: "Yams", condition: yaml),
      ],
      swiftSettings: settings
    ),
    // libcurl and libcrypto, which are loaded at run time.
    .target(
      name: "CLoadedLibraries",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
    ),
    .target(
      name: "RemoteSeeding",
      dependencies: [
        "CLoadedLibraries",
        "Deflate",
        "Digests",
        "Seeding",
        "Texts",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "DataGeneration",
      dependencies: [
        .target(name: "CoreData", condition: withoutCoreData), "Files", "ModelFormats", "Seeding", "Texts",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "StoreExploration",
      dependencies: [
        .target(name: "CoreData", condition: withoutCoreData),
        "ModelFormats",
        "Predicates",
        "Seeding",
        "Texts",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "StoreEditing",
      dependencies: [
        .target(name: "CoreData", condition: withoutCoreData),
        "ModelFormats",
        "Predicates",
        "Seeding",
        "StoreExploration",
        "Texts",
      ],
      swiftSettings: settings
    ),
    // The files of Sources/Browser/Resources, in the program itself: an installed command is one file.
    .target(name: "CBrowserResources"),
    .target(
      name: "Browser",
      dependencies: [
        "CBrowserResources",
        .target(name: "CoreData", condition: withoutCoreData),
        "Deflate",
        "Diagrams",
        "Digests",
        "Files",
        "ModelFormats",
        "Predicates",
        "PropertyLists",
        "Seeding",
        "StoreEditing",
        "StoreExploration",
        "Texts",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: browser),
        .product(name: "Hummingbird", package: "hummingbird", condition: browser),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: browser),
        .product(name: "Logging", package: "swift-log", condition: browser),
        .product(name: "Mustache", package: "swift-mustache", condition: browser),
        .product(name: "NIOCore", package: "swift-nio", condition: browser),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: browser),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: browser),
      ],
      exclude: ["Resources"],
      swiftSettings: settings
    ),
    .target(
      name: "PerennialCommands",
      dependencies: [
        "Browser",
        .target(name: "CoreData", condition: withoutCoreData),
        .target(name: "CoreDataPostgreSQL", condition: postgreSQLStore),
        "DataGeneration",
        "Diagrams",
        "Digests",
        "Files",
        "ModelCompiler",
        "ModelFormats",
        "PropertyLists",
        "RemoteSeeding",
        "Seeding",
        "SourcePorting",
        "StoreExploration",
        "Texts",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
        .product(name: "Mustache", package: "swift-mustache", condition: command),
        .product(name: "Yams", package: "Yams", condition: yaml),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "perennial",
      dependencies: [
        "PerennialCommands",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: command),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "ModelCompiler",
      dependencies: [
        "Files",
        "ModelFormats",
        "Texts",
        .product(name: "SwiftParser", package: "swift-syntax", condition: plugin),
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: plugin),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "SourcePorting",
      dependencies: [
        "Files",
        "ModelCompiler",
        .product(name: "SwiftParser", package: "swift-syntax", condition: plugin),
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: plugin),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "ModelCompilerTool", dependencies: ["ModelCompiler"], swiftSettings: settings),
    .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["ModelCompilerTool"]),
    .testTarget(
      name: "ModelCompilerTests",
      dependencies: ["ModelCompiler", "ModelFormats"],
      exclude: ["Fixtures"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SourcePortingTests",
      dependencies: [
        "SourcePorting",
        .product(name: "SwiftParser", package: "swift-syntax", condition: plugin),
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: plugin),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DigestsTests",
      dependencies: ["CDigests", "Digests", "TestSupport"],
      swiftSettings: settings
    ),
    // Folders, random numbers that can be repeated, and the shared files: for every test target.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    // Models that are made in code.
    .target(
      name: "TestModels",
      dependencies: [.target(name: "CoreData", condition: withoutCoreData)],
      path: "Tests/TestModels",
      swiftSettings: settings
    ),
    .testTarget(
      name: "PostgreSQLDriverTests",
      dependencies: ["PostgreSQLDriver", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SQLiteDriverTests",
      dependencies: ["CSystemSQLite", "SQLiteDriver", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SemaphoresTests",
      dependencies: ["Semaphores", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "PredicatesTests",
      dependencies: ["Predicates", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ModelFormatsTests",
      dependencies: ["TestSupport", "ModelFormats", "PropertyLists"],
      swiftSettings: settings
    ),
    .testTarget(name: "DiagramsTests", dependencies: ["Diagrams", "ModelFormats"], swiftSettings: settings),
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        "Digests",
        "Files",
        .target(name: "PostgreSQLDriver", condition: postgreSQL),
        "ModelFormats",
        "PropertyLists",
        "CSystemSQLite",
        .target(name: "CoreData", condition: withoutCoreData),
        .target(name: "CoreDataPostgreSQL", condition: postgreSQLStore),
        "SQLiteDriver",
        .product(name: "Logging", package: "swift-log"),
        // Several processes count in one store.
      ] + (part == "whole" ? ["CrashTest"] : []),
      // Each expanded macro is a source file of the compiler, which sorts all of them again for each new one. In two batches that
      // took a tenth of its time.
      swiftSettings: settings + batches(6)
    ),
    .testTarget(
      name: "CoreDataServerTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        "CoreDataServer",
        .target(name: "CoreData", condition: withoutCoreData),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: server),
        .product(name: "Metrics", package: "swift-metrics", condition: server),
        .product(name: "MetricsTestKit", package: "swift-metrics", condition: server),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: server),
        .product(name: "Tracing", package: "swift-distributed-tracing", condition: server),
      ],
      swiftSettings: settings
    ),
    // What applications hand to queues, in both language modes: one file in two targets.
    .testTarget(
      name: "CallerTests",
      dependencies: [.target(name: "CoreData", condition: withoutCoreData)],
      swiftSettings: settings
    ),
    .testTarget(
      name: "Swift5CallerTests",
      dependencies: [.target(name: "CoreData", condition: withoutCoreData)],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    // Processes that are killed, whose disk fails, or whose disk loses the power: see
    // Scripts/checks/crash-test, Scripts/checks/inject-faults and Scripts/checks/lose-power.
    .executableTarget(
      name: "CrashTest",
      dependencies: [
        "TestSupport",
        .target(name: "CoreData", condition: withoutCoreData),
        .target(name: "CoreDataPostgreSQL", condition: postgreSQLStore),
        "Seeding",
      ],
      path: "Tests/CrashTest",
      swiftSettings: settings
    ),
    // Processes that sell in one store: see Scripts/checks/sell.
    .executableTarget(
      name: "SaleTest",
      dependencies: [
        "TestModels",
        "TestSupport",
        .target(name: "CoreData", condition: withoutCoreData),
        .target(name: "CoreDataPostgreSQL", condition: postgreSQLStore),
      ],
      path: "Tests/SaleTest",
      swiftSettings: settings
    ),
    .testTarget(
      name: "SeedingTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        // Lives of stores are led by the command, too.
        "perennial",
        "PerennialCommands",
        "Seeding",
        "Deflate",
        .target(name: "CoreData", condition: withoutCoreData),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "StoreExplorationTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        "Seeding",
        "StoreExploration",
        .target(name: "CoreData", condition: withoutCoreData),
        // Tests damage tables of a store with it, without the knowledge of Core Data.
        "SQLiteDriver",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "StoreEditingTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        "Seeding",
        "StoreEditing",
        "StoreExploration",
        .target(name: "CoreData", condition: withoutCoreData),
        .target(name: "CoreDataPostgreSQL", condition: postgreSQLStore),
      ],
      swiftSettings: settings
    ),
    // Sends requests to the servers of tests. HummingbirdTesting would compile async-http-client, and BoringSSL with it.
    .target(
      name: "HTTPTestClient",
      dependencies: [
        .product(name: "HTTPTypes", package: "swift-http-types", condition: browser),
        .product(name: "Hummingbird", package: "hummingbird", condition: browser),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: browser),
        .product(name: "Logging", package: "swift-log", condition: browser),
        .product(name: "NIOCore", package: "swift-nio", condition: browser),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: browser),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: browser),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: browser),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: browser),
        .product(name: "NIOPosix", package: "swift-nio", condition: browser),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: browser),
      ],
      path: "Tests/HTTPTestClient",
      swiftSettings: settings
    ),
    .testTarget(
      name: "BrowserTests",
      dependencies: [
        "HTTPTestClient",
        "TestModels",
        "TestSupport",
        "Browser",
        "Deflate",
        "Seeding",
        "StoreExploration",
        .target(name: "CoreData", condition: withoutCoreData),
        // Another program has the lock of a store.
        "SQLiteDriver",
        .product(name: "HTTPTypes", package: "swift-http-types", condition: browser),
        .product(name: "Hummingbird", package: "hummingbird", condition: browser),
        .product(name: "NIOCore", package: "swift-nio", condition: browser),
      ],
      swiftSettings: settings
    ),
    // The examples of documentation comments: see Scripts/checks/doc-examples.
    .testTarget(
      name: "DocumentationExampleTests",
      dependencies: [
        "HTTPTestClient",
        "TestModels",
        "TestSupport",
        "Browser",
        .target(name: "CoreData", condition: withoutCoreData),
        .target(name: "CoreDataPostgreSQL", condition: postgreSQLStore),
        "CoreDataServer",
        "DataGeneration",
        "ModelFormats",
        "RemoteSeeding",
        "Seeding",
        .product(name: "Hummingbird", package: "hummingbird", condition: browser),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DataGenerationTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        "DataGeneration",
        "ModelFormats",
        "Seeding",
        .target(name: "CoreData", condition: withoutCoreData),
      ],
      swiftSettings: settings
    ),
    // Lookups of names that do not end.
    .target(name: "CLookups", path: "Tests/CLookups"),
    .testTarget(
      name: "RemoteSeedingTests",
      dependencies: [
        "CLoadedLibraries",
        "CLookups",
        "Deflate",
        "Digests",
        "TestSupport",
        "RemoteSeeding",
        "Seeding",
        "Texts",
        .target(name: "CoreData", condition: withoutCoreData),
        // The tests' servers.
        .product(name: "NIOCore", package: "swift-nio", condition: browser),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: browser),
        .product(name: "NIOPosix", package: "swift-nio", condition: browser),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "PerennialTests",
      dependencies: [
        "TestModels",
        "TestSupport",
        "perennial",
        "DataGeneration",
        "Files",
        "ModelFormats",
        "PerennialCommands",
        "RemoteSeeding",
        "Seeding",
        .target(name: "CoreData", condition: withoutCoreData),
        "SQLiteDriver",
        .product(name: "Yams", package: "Yams", condition: yaml),
      ],
      swiftSettings: settings
    ),
    // Runs the commands over damaged files: see Scripts/checks/mutants.
    .executableTarget(
      name: "MutantTest",
      dependencies: [
        "TestSupport",
        "Deflate",
        "PerennialCommands",
        "SourcePorting",
        .target(name: "CoreData", condition: withoutCoreData),
        "SQLiteDriver",
      ],
      path: "Tests/MutantTest",
      swiftSettings: settings
    ),
  ]
)

switch part {
case "light":
  let modules: Set = [
    "CDigests", "CZlib", "Deflate", "Diagrams", "Digests", "Files", "ModelFormats", "Predicates",
    "PropertyLists", "Semaphores",
    "TestSupport", "Texts",
  ]
  let tests: Set = [
    "DiagramsTests", "DigestsTests", "FilesTests", "ModelFormatsTests", "PredicatesTests", "SemaphoresTests",
  ]
  package.dependencies = []
  package.products.removeAll { !modules.contains($0.name) }
  package.targets.removeAll { !modules.union(tests).contains($0.name) }
case "whole": break
default: package.targets.removeAll { ["CrashTest", "MutantTest", "SaleTest"].contains($0.name) }
}
