// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Notes",
      dependencies: [
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        )
      ],
      resources: [
        .copy("Notes.xcdatamodeld"),
        .copy("seed.json"),
      ]
    ),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes",
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        ),
      ]
    ),
  ]
)
