import StoreExploration

extension GridQuery {
  /// The greatest number of a first row in an address. No store has this many objects.
  private static let highestNumber = 1 << 53

  /// Makes the query from the items of an address.
  init(entity: String, items: QueryItems) {
    self.init(entity: entity)
    predicate = items["where"] ?? ""
    sort = items["sort"].map { Sort(attribute: $0, isAscending: items["order"] != "desc") }
    if let of = items["of"], let key = items["key"].flatMap(Int64.init), let owner = items["owner"],
      let relationship = items["relationship"]
    {
      scope = Scope(entity: of, key: key, owner: owner, relationship: relationship)
    }
    let value = items["value"].flatMap(SortValue.init)
    if let after = items["after"].flatMap(Int64.init) {
      position = GridPosition(.after, key: after, value: value)
    } else if let before = items["before"] {
      let key = Int64(before)
      if key != nil || before == "end" { position = GridPosition(.before, key: key, value: value) }
    }
    if position != nil {
      // A page adds the number of its rows to this number, so the limit also prevents an overflow.
      firstNumber = items["at"].flatMap(Int.init).flatMap { (1...Self.highestNumber).contains($0) ? $0 : nil }
    }
    if let text = items[ColumnUses.itemName], text != ColumnUses.standard { columns = GridColumnChoice(text) }
  }

  /// The same query from the first row.
  var fromStart: GridQuery {
    var query = self
    query.position = nil
    query.firstNumber = nil
    return query
  }
}
