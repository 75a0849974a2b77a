// swift-tools-version: 6.1
import PackageDescription

let coreData: Target.Dependency = .product(name: "CoreData", package: "perennial")
let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "perennial")]

let package = Package(
  name: "PredicateKit",
  dependencies: [.package(name: "perennial", path: "PERENNIAL")],
  targets: [
    .target(
      name: "PredicateKit",
      dependencies: [coreData],
      path: "PredicateKit",
      exclude: ["Info.plist", "PredicateKit.h", "PrivacyInfo.xcprivacy"],
      plugins: plugins
    ),
    // The project defines its tests only in its Xcode project.
    .testTarget(
      name: "PredicateKitTests",
      dependencies: ["PredicateKit", coreData],
      path: "PredicateKitTests",
      exclude: ["Info.plist"],
      plugins: plugins
    ),
  ],
  swiftLanguageModes: [.v5]
)
