/// A derived attribute that is a form of a text, which the save computes: no database has functions
/// for it that every process knows.
struct SQLDerivedText {
  let column: String
  /// `canonical:`, `uppercase:` or `lowercase:`.
  let function: String
  let source: String

  /// Those among the slots of an entity's layout.
  static func all(in layout: EntityLayout, slots: [SQLSlot?]) -> [SQLDerivedText] {
    layout.slots.indices.compactMap { number in
      guard let attribute = layout.slots[number].attribute as? NSDerivedAttributeDescription,
        case .text(let function, let source) = SQLDerivation(attribute), let slot = slots[number],
        case .slot(let sourceNumber) = layout.places[source.name], let sourceSlot = slots[sourceNumber]
      else { return nil }
      return SQLDerivedText(column: slot.column, function: function, source: sourceSlot.column)
    }
  }
}
