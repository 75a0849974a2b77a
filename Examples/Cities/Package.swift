// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Cities",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Cities",
      dependencies: [
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        )
      ],
