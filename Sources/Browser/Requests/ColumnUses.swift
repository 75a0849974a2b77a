import StoreExploration
import Synchronization

/// The most recent choice of columns of each entity, kept while the program runs.
final class ColumnUses: Sendable {
  /// The name of the item in addresses.
  static let itemName = "columns"
  /// The item's value for a grid's default columns.
  static let standard = "standard"
  /// The greatest length in bytes. The pages make no longer choice.
  private static let longest = 8_000
  private let choices = Mutex<[String: GridColumnChoice]>([:])

  /// Returns the columns for a page of an entity: the choice in the page's address, which is remembered, or else
  /// the last choice.
  func choice(of entity: String, items: QueryItems) -> GridColumnChoice? {
    choices.withLock { choices in
      guard let text = items[Self.itemName], text.utf8.count <= Self.longest else { return choices[entity] }
      choices[entity] = text == Self.standard ? nil : GridColumnChoice(text)
      return choices[entity]
    }
  }

  /// Remembers the choice of a button.
  func remember(_ choice: GridColumnChoice, of entity: String) {
    choices.withLock { $0[entity] = choice }
  }
}
