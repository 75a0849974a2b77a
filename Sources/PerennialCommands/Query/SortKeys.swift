import ArgumentParser
import Foundation

/// The order of a fetch: `category.name,createdAt:desc`; of groups also `max:(createdAt):desc`.
struct SortKeys: ExpressibleByArgument, Equatable {
  struct Key: Equatable {
    let keyPath: String
    let isAscending: Bool
  }

  let keys: [Key]

  private static let orderWords = [":asc": true, ":desc": false]

  init?(argument: String) {
    var keys: [Key] = []
    for part in ExpressionList.split(argument) {
      let (words, order) = Self.orderWords.first { part.hasSuffix($0.key) } ?? ("", true)
      let keyPath = part.dropLast(words.count).trimmingCharacters(in: .whitespaces)
      // Functions have colons in their names; key paths have none.
      if keyPath.isEmpty || keyPath.contains(":") && !keyPath.hasSuffix(")") { return nil }
      keys.append(Key(keyPath: keyPath, isAscending: order))
    }
    self.keys = keys
  }
}
