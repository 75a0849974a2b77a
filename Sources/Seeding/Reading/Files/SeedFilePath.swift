import Foundation
import Texts

/// The path of a file as a value of a seed has it: relative to the seed, and nowhere else.
package struct SeedFilePath: Hashable, Sendable, Comparable {
  /// The names of the folders and of the file.
  package let components: [String]

  package var text: String { components.joined(separator: "/") }

  private static let longest = 4096

  /// Reads a path.
  ///
  /// - Throws: An `AttributeConversion.Failure` for a path that could lead out of the seed's
  ///   folder, that is too long, or that has control characters.
  init(_ text: String) throws(AttributeConversion.Failure) {
    components = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isUsual = components.allSatisfy { name in
      !name.isEmpty && name != "." && name != ".." && !name.contains("\\")
        && !name.unicodeScalars.contains { $0.value < 0x20 }
    }
    guard isUsual, text.utf8.count <= Self.longest, !text.hasPrefix("~") else {
      throw AttributeConversion.Failure(
        problem: "\"\(text.abbreviated)\" is not a path of a file beside the seed or in a folder there",
        remedy: "give a path such as photos/pasta.jpg, without \"..\" and without a slash at its beginning"
      )
    }
  }

  /// True for a path that a seed can name.
  package static func isUsable(_ text: String) -> Bool { (try? SeedFilePath(text)) != nil }

  package static func < (one: Self, other: Self) -> Bool { one.components.lexicographicallyPrecedes(other.components) }
}
