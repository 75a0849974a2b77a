/// A name with a number at its end, which tells it from equal ones; 0 for a name without.
struct NumberedName {
  let base: String
  var number = 0

  var text: String { number == 0 ? base : "\(base)\(number)" }

  /// The number at the end of a name that begins with another name, ignoring case: 0 where both are
  /// equal, `nil` where anything else than a number follows.
  static func number(of name: String, after base: String) -> Int? {
    let (name, base) = (name.uppercased(), base.uppercased())
    if name == base { return 0 }
    guard name.hasPrefix(base) else { return nil }
    let digits = name.dropFirst(base.count)
    guard digits.count <= mostDigits, digits.first != "0", digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(digits)
  }

  private static let mostDigits = 6

  /// Finds the base of a numbered name. If several bases fit, the result is the one with the lowest number.
  ///
  /// - Returns: `nil` where the name does not begin with any base.
  static func find(_ name: String, in bases: [String]) -> (index: Int, number: Int)? {
    bases.enumerated().compactMap { index, base in
      number(of: name, after: base).map { (index: index, number: $0) }
    }
    .min { $0.number < $1.number }
  }
}

extension SQLCatalog {
  /// The tables with a name, or with the name and a number, the lowest number first.
  func tables(numbered base: String) -> [SQLCatalogTable] {
    tables.values.compactMap { table in
      NumberedName.number(of: table.name, after: base).map { (table: table, number: $0) }
    }
    .sorted { $0.number < $1.number }.map(\.table)
  }
}

extension SQLCatalogTable {
  /// The columns with a name, or with the name and a number.
  func columns(numbered base: String) -> [(name: String, number: Int)] {
    columns.compactMap { column in
      NumberedName.number(of: column, after: base).map { (name: column, number: $0) }
    }
  }
}
