import ArgumentParser
import Foundation

/// Key paths and expressions that are separated by commas: `category.name, max:(createdAt)`.
struct ExpressionList: ExpressibleByArgument, Equatable {
  let parts: [String]

  init?(argument: String) {
    parts = Self.split(argument)
    if parts.contains("") { return nil }
  }

  /// The parts between commas, without surrounding white space. A comma in parentheses, braces or quotes
  /// does not separate parts.
  static func split(_ text: String) -> [String] {
    var parts = [""]
    var depth = 0
    var quote: Character?
    for character in text {
      switch character {
      case "\"", "'":
        if quote == nil { quote = character } else if quote == character { quote = nil }
      case "(", "{", "[": depth += quote == nil ? 1 : 0
      case ")", "}", "]": depth -= quote == nil ? 1 : 0
      case "," where depth == 0 && quote == nil:
        parts.append("")
        continue
      default: break
      }
      parts[parts.count - 1].append(character)
    }
    return parts.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// The sort order of a fetch: `category.name,createdAt:desc`; for groups also `max:(createdAt):desc`.
///
/// SQL's form is accepted as well: `createdAt desc`.
struct SortKeys: ExpressibleByArgument, Equatable {
  struct Key: Equatable {
    let keyPath: String
    let isAscending: Bool
  }

  let keys: [Key]

  private static let orderWords = [":asc": true, " asc": true, ":desc": false, " desc": false]

  init?(argument: String) {
    var keys: [Key] = []
    for part in ExpressionList.split(argument) {
      let (words, order) = Self.orderWords.first { part.lowercased().hasSuffix($0.key) } ?? ("", true)
      let keyPath = part.dropLast(words.count).trimmingCharacters(in: .whitespaces)
      // Names of functions contain colons; key paths do not.
      if keyPath.isEmpty || keyPath.contains(":") && !keyPath.hasSuffix(")") { return nil }
      keys.append(Key(keyPath: keyPath, isAscending: order))
    }
    self.keys = keys
  }
}
