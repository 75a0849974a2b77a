// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Users",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "perennial", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
  ],
  targets: [
    .executableTarget(
      name: "Users",
      dependencies: [
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        )
      ],
      resources: [
        .copy("Users.xcdatamodeld")
      ]
    ),
    .testTarget(
      name: "UsersTests",
      dependencies: [
        "Users",
        .product(
          name: "CoreData",
          package: "perennial",
          condition: .when(platforms: [.linux, .android, .windows])
        ),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ]
    ),
  ]
)
