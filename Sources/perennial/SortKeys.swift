import ArgumentParser
import Foundation

/// The order of a fetch: `category.name,createdAt:desc`.
struct SortKeys: ExpressibleByArgument, Equatable {
  struct Key: Equatable {
    let keyPath: String
    let isAscending: Bool
  }

  let keys: [Key]

  init?(argument: String) {
    var keys: [Key] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard let keyPath = words.first, !keyPath.isEmpty, words.count <= 2 else { return nil }
      switch words.dropFirst().first {
      case nil, "asc": keys.append(Key(keyPath: keyPath, isAscending: true))
      case "desc": keys.append(Key(keyPath: keyPath, isAscending: false))
      default: return nil
      }
    }
    self.keys = keys
  }
}
