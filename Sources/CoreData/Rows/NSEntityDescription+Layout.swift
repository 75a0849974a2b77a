extension NSEntityDescription {
  /// The layout of the entity's rows in memory. Its model must be in use.
  package final var layout: EntityLayout {
    if let frozenLayout { return frozenLayout }
    guard let model else {
      fatalError(
        """
        entity \(name ?? "(without a name)") is in no model; put it into the entities of an \
        NSManagedObjectModel, and keep that model.
        """
      )
    }
    model.freeze()
    guard let frozenLayout else {
      fatalError(
        """
        entity \(name ?? "(without a name)") was added to its model's entities by another entity's \
        subentities after the model was first used; finish the model first.
        """
      )
    }
    return frozenLayout
  }

  /// The layout for an object that is about to be made.
  final func layoutForNewObject() -> EntityLayout {
    if isAbstract {
      fatalError("entity \(name ?? "") is abstract and can have no objects; make an object of one of its subentities.")
    }
    return layout
  }

  /// The entity and all that inherit from it, in the order of their numbers.
  package final var selfAndAllSubentities: [NSEntityDescription] {
    [self] + EntityOrder.sorted(children).flatMap(\.selfAndAllSubentities)
  }
}

extension EntityLayout {
  /// A row with the default values, to be compared with.
  var defaultRow: Row { newRow() }

  /// A row with the default values of a new object.
  func newRow() -> Row {
    let row = Row(layout: self)
    for slot in slotsWithDefaults { row.set(slots[slot].defaultValue, slot: slot) }
    return row
  }
}

extension Row {
  /// Gives transient attributes the values that an object has which was just fetched: their defaults.
  @usableFromInline
  func setTransientDefaults() {
    for slot in layout.transientSlotsWithDefaults { set(layout.slots[slot].defaultValue, slot: slot) }
  }
}
