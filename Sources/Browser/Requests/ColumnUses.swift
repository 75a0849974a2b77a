import StoreExploration
import Synchronization

/// The columns that were chosen last, by entity, as long as the program runs.
final class ColumnUses: Sendable {
  /// The name of the item in addresses.
  static let itemName = "columns"
  /// The item's value for the columns that a grid has by itself.
  static let standard = "standard"
  /// A longer choice comes from no page of ours.
  private static let longest = 8_000
  private let choices = Mutex<[String: GridColumnChoice]>([:])

  /// The choice for a page of an entity of the model: the one that its address has, which is remembered, or the last.
  func choice(of entity: String, items: QueryItems) -> GridColumnChoice? {
    choices.withLock { choices in
      guard let text = items[Self.itemName], text.utf8.count <= Self.longest else { return choices[entity] }
      choices[entity] = text == Self.standard ? nil : GridColumnChoice(text)
      return choices[entity]
    }
  }

  /// Remembers a choice that a button has made.
  func remember(_ choice: GridColumnChoice, of entity: String) {
    choices.withLock { $0[entity] = choice }
  }
}
