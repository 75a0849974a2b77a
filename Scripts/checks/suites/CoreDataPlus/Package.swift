// swift-tools-version: 6.1
import PackageDescription

let coreData: Target.Dependency = .product(name: "CoreData", package: "perennial")
let plugins: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin", package: "perennial")]
let fixtures = [
  "SampleModel/Fixtures/SampleModel.momd", "SampleModel/Fixtures/SampleModel_V1.sqlite",
  "SampleModel/Fixtures/SampleModel_V2.sqlite", "SampleModel/Fixtures/V2toV3.cdm",
  "SampleModel2/Fixtures/SampleModel2_V1.sqlite", "SampleModel2/Fixtures/SampleModel2_V2.sqlite",
  "SampleModel3/Fixtures/SampleModel3.momd", "SampleModel3/Fixtures/SampleModel3_V1.sqlite",
]
// The project has compiled models among its fixtures, for tests from the command line.
let models = [
  "SampleModel/SampleModel.xcdatamodeld", "SampleModel/MappingModels/V2toV3.xcmappingmodel",
  "SampleModel3/SampleModel3.xcdatamodeld",
]

let package = Package(
  name: "CoreDataPlus",
  dependencies: [.package(name: "perennial", path: "PERENNIAL")],
  targets: [
    .target(name: "StandIns", path: "StandIns"),
    .target(
      name: "CoreDataPlus",
      dependencies: ["StandIns", coreData],
      path: "Sources",
      plugins: plugins
    ),
    .testTarget(
      name: "Tests",
      dependencies: ["CoreDataPlus", "StandIns", coreData],
      path: "Tests",
      exclude: ["TestPlans", "Resources/SampleModel/Fixtures/README.md"] + models.map { "Resources/\($0)" },
      resources: fixtures.map { .copy("Resources/\($0)") },
      plugins: plugins
    ),
  ],
  swiftLanguageModes: [.v6]
)
