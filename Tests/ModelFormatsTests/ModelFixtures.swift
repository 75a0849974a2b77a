import Foundation
import TestSupport

/// Models made by Apple's tools, by their path inside the folder of fixtures.
enum ModelFixtures {
  static let available = SharedFolder.isAvailable
  static let reason = SharedFolder.reason

  /// All files `contents`.
  static let contents = SharedFolder.fixtures.filter { $0.hasSuffix("/contents") }

  /// All `.xcdatamodeld` of the XML format.
  static let packages = SharedFolder.fixtures.filter {
    $0.hasSuffix(".xcdatamodeld") && !$0.hasPrefix("recipes-2009")
  }

  /// All compiled models.
  static let compiled = SharedFolder.fixtures.filter { $0.hasSuffix(".mom") }

  static func url(_ path: String) -> URL { SharedFolder.fixture(path) }
}
