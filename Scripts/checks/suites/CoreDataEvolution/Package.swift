// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let coreData: Target.Dependency = .product(name: "CoreData", package: "perennial")
let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "perennial")]

func syntax(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-syntax") }
}

let package = Package(
  name: "CoreDataEvolution",
  products: [.executable(name: "cde-tool", targets: ["CDETool"])],
  dependencies: [
    .package(name: "perennial", path: "PERENNIAL"),
    // The project requires a version below 603. All suites use one version, so that it is compiled once.
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.0"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .macro(
      name: "CoreDataEvolutionMacros",
      dependencies: syntax(
        "SwiftSyntax",
        "SwiftParser",
        "SwiftSyntaxMacros",
        "SwiftCompilerPlugin",
        "SwiftDiagnostics"
      )
    ),
    .target(
      name: "CoreDataEvolution",
      dependencies: ["CoreDataEvolutionMacros", coreData],
      exclude: ["CoreDataEvolution.docc"],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")],
      plugins: plugins
    ),
    .target(
      name: "CoreDataEvolutionToolingCore",
      dependencies: [coreData] + syntax("SwiftParser", "SwiftSyntax"),
      plugins: plugins
    ),
    .executableTarget(
      name: "CoreDataEvolutionClient",
      dependencies: ["CoreDataEvolution", coreData],
      plugins: plugins
    ),
    .executableTarget(
      name: "CDETool",
      dependencies: [
        "CoreDataEvolutionToolingCore", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .testTarget(
      name: "CoreDataEvolutionToolingCoreTests",
      dependencies: ["CoreDataEvolutionToolingCore", coreData],
      plugins: plugins
    ),
    .testTarget(name: "CDEToolTests", dependencies: ["CDETool", "CoreDataEvolutionToolingCore"]),
    .testTarget(
      name: "CoreDataEvolutionTests",
      dependencies: ["CoreDataEvolution", coreData],
      exclude: ["CoreDataEvolution-Package.xctestplan"],
      plugins: plugins
    ),
    .testTarget(
      name: "CoreDataEvolutionMacroTests",
      dependencies: ["CoreDataEvolutionMacros"]
        + syntax(
          "SwiftParser",
          "SwiftSyntax",
          "SwiftSyntaxMacros",
          "SwiftSyntaxMacroExpansion",
          "SwiftBasicFormat"
        ),
      exclude: ["Fixtures", "__Snapshots__"]
    ),
  ],
  swiftLanguageModes: [.v6]
)
