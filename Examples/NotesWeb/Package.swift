// swift-tools-version: 6.1
import PackageDescription

// On Apple's platforms `import CoreData` is the framework of the system.
let coreData = Target.Dependency.product(
  name: "CoreData",
  package: "perennial",
  condition: .when(platforms: [.linux, .android, .windows])
)
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "NotesWeb",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../..", traits: ["Plugin", "Server"]),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.81.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
  ],
  targets: [
    .target(
      name: "NotesSite",
      dependencies: [
        coreData,
        hummingbird,
        .product(name: "CoreDataServer", package: "perennial"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Mustache", package: "swift-mustache"),
        .product(name: "Seeding", package: "perennial"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      // The folder Notes belongs to the example of that name. This example uses its model, its classes and its seed.
      exclude: ["Notes/Notebook.swift", "Notes/Program.swift", "Notes/seed.de.json"],
      resources: [.copy("Assets"), .copy("Notes/seed.json"), .copy("Templates")],
      swiftSettings: settings,
      plugins: [.plugin(name: "CoreDataModelPlugin", package: "perennial")]
    ),
    .executableTarget(
      name: "NotesWeb",
      dependencies: [
        "NotesSite",
        hummingbird,
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Seeding", package: "perennial"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "NotesSiteTests",
      dependencies: [
        "NotesSite",
        coreData,
        hummingbird,
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "Seeding", package: "perennial"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
  ]
)
