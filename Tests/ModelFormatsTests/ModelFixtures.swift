import Foundation
import TestSupport

/// Models made by Apple's tools, by path in the folder of fixtures.
enum ModelFixtures {
  static let available = SharedFolder.isAvailable
  static let reason = SharedFolder.reason

  /// All `contents` files.
  static let contents = SharedFolder.fixtures.filter { $0.hasSuffix("/contents") }

  /// All `.xcdatamodeld` packages that can be read.
  static let packages = allPackages.filter { refused[$0] == nil }

  /// All `.xcdatamodeld` packages.
  static let allPackages = SharedFolder.fixtures.filter { $0.hasSuffix(".xcdatamodeld") }

  private static let isOutdated = "is in the format of before Xcode 4"

  /// The packages that the reader refuses, with a part of the reason.
  static let refused = [
    "recipes-2009/Samples/iOS/Application/Models/Recipes.xcdatamodeld": isOutdated,
    "zoo/MagicalRecord/Samples/iOS/Application/Models/Recipes.xcdatamodeld": isOutdated,
    "zoo/RestKit/Resources/RestKitCoreData.xcdatamodeld": "has no .xcdatamodel in it",
    "zoo/mogenerator/contributed templates/Nikita Zhuk/ponso/sample project/PonsoTest/MyModel.xcdatamodeld":
      isOutdated,
    "zoo/mogenerator/contributed templates/Tyrone Trevorrow/ponso/sample project/PonsoTest/MyModel.xcdatamodeld":
      isOutdated,
  ]

  /// The packages whose compilation warns, with a part of their only warning.
  static let warned = [
    "zoo/CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/Advanced.EvolutionDemo.xcdatamodeld":
      "_XCCurrentVersionName: the file names no version, so Advanced.EvolutionDemo.V2, the last one by name,",
    "zoo/Trio/Model/TrioCoreDataPersistentContainer.xcdatamodeld":
      "entity TempTargetRunStored, attribute id, defaultValueString: \"empy\" is not a value of the type UUID",
  ]

  /// All mapping models.
  static let mappings = SharedFolder.fixtures.filter { $0.hasSuffix(".xcmappingmodel") }

  /// All compiled models.
  static let compiled = SharedFolder.fixtures.filter { $0.hasSuffix(".mom") }

  static func url(_ path: String) -> URL { SharedFolder.fixture(path) }
}
