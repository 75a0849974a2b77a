import TestSupport

/// A choice for each factor on which a seed's outcome depends.
struct Combination: Sendable {
  /// A mode, or a profile.
  enum Setting: String, CaseIterable, Sendable {
    case upsert, createOnly, merge, replace, reference, starter, sync
  }

  /// The relationship from Album to Item, and the way in which the seed gives its objects.
  enum Kind: String, CaseIterable, Sendable {
    case toOne, oneToOne, toMany, manyToMany
    /// An ordered many-to-many relationship.
    case ordered
    /// A many-to-many relationship that the seed changes by `$add` and `$remove`.
    case added
    /// A relationship that the seed changes by `$replace`.
    case replaced, replacedWithoutKey
    /// A relationship with the delete rule Cascade.
    case owned, ownedWithoutKey
  }

  /// The records that state the links.
  enum Side: String, CaseIterable, Sendable {
    case albums, items, both
  }

  enum Place: String, CaseIterable, Sendable {
    case byReference, nested
  }

  enum Format: String, CaseIterable, Sendable {
    case json, jsonl, yaml, csv, plist
  }

  enum Way: String, CaseIterable, Sendable {
    case oneSave, transaction, pieces, parent, operation, server
  }

  /// The event before the second run, which may also change the seed.
  enum Event: String, CaseIterable, Sendable {
    case same, changed
    /// A user has changed a value that the seed changes too.
    case edited
    /// A user has emptied a relationship, and the seed is the same.
    case emptied
    /// A user has deleted an album, and the seed is the same.
    case deletedAlbum
    /// A user has deleted an item, and the seed is the same.
    case deletedItem
  }

  /// The levels that the expected outcome depends on, in a combination that may be meaningless.
  struct Core: Sendable {
    var setting: Setting
    var kind: Kind
    var side: Side
    var place: Place
    var event: Event
  }

  let core: Core
  let format: Format
  let way: Way

  var setting: Setting { core.setting }
  var kind: Kind { core.kind }
  var side: Side { core.side }
  var place: Place { core.place }
  var event: Event { core.event }
}

extension Combination.Kind {
  var isToOne: Bool { self == .toOne || self == .oneToOne }
  var isOrdered: Bool { self == .ordered || self == .ownedWithoutKey }
  var isCascading: Bool { self == .owned || self == .ownedWithoutKey }
  var hasKey: Bool { self != .ownedWithoutKey && self != .replacedWithoutKey }

  /// True if an item may be in several albums.
  var isShared: Bool {
    switch self {
    case .toOne, .manyToMany, .ordered, .added: true
    case .oneToOne, .toMany, .replaced, .replacedWithoutKey, .owned, .ownedWithoutKey: false
    }
  }

  /// True if an album deletes the items that it no longer contains.
  var owns: Bool {
    switch self {
    case .replaced, .replacedWithoutKey, .owned, .ownedWithoutKey: true
    case .toOne, .oneToOne, .toMany, .manyToMany, .ordered, .added: false
    }
  }
}

extension Combination.Setting {
  /// True if objects that a user has deleted are created again.
  var restoresDeletedObjects: Bool { self != .starter && self != .sync }
  /// True if objects that the seed no longer contains are deleted.
  var prunesItsOwn: Bool { self == .reference || self == .sync }
  var merges: Bool { self == .merge || self == .sync }
  var keepsPresentObjects: Bool { self == .createOnly || self == .starter }
}

extension Combination.Core {
  /// True if the guide defines the outcome.
  var isSensible: Bool {
    // Only their positions in an album identify items without a key.
    if !kind.hasKey, place != .nested { return false }
    if place == .nested, side != .albums { return false }
    // Additions and replacements are part of the record with the list.
    if kind == .added || kind == .replaced, side != .albums { return false }
    // The items would be orphans that belong to the user. Without an owner and a key, no record can find them.
    if event == .emptied, kind.isCascading || !kind.hasKey { return false }
    if event == .deletedAlbum, kind == .replacedWithoutKey { return false }
    return true
  }

  var levels: [String] {
    [
      "setting \(setting.rawValue)", "kind \(kind.rawValue)", "side \(side.rawValue)",
      "place \(place.rawValue)",
      "event \(event.rawValue)",
    ]
  }

  static let sensible: [Self] = {
    var all: [Self] = []
    for setting in Combination.Setting.allCases {
      for kind in Combination.Kind.allCases {
        for side in Combination.Side.allCases {
          for place in Combination.Place.allCases {
            for event in Combination.Event.allCases {
              let core = Self(setting: setting, kind: kind, side: side, place: place, event: event)
              if core.isSensible { all.append(core) }
            }
          }
        }
      }
    }
    return all
  }()
}

// MARK: - Rows

extension Combination {
  /// Two levels of different factors.
  struct Pair: Hashable, Comparable, CustomStringConvertible, Sendable {
    let first: String
    let second: String

    var description: String { "\(first) × \(second)" }

    static func < (one: Self, other: Self) -> Bool {
      (one.first, one.second) < (other.first, other.second)
    }

    static func all(of levels: [String]) -> [Self] {
      levels.indices.flatMap { index in
        levels[(index + 1)...].map { Self(first: levels[index], second: $0) }
      }
    }
  }

  var pairs: [Pair] { Pair.all(of: core.levels + ["format \(format.rawValue)", "way \(way.rawValue)"]) }

  /// The levels of each factor.
  private static let factors: [[String]] = [
    Setting.allCases.map { "setting \($0.rawValue)" }, Kind.allCases.map { "kind \($0.rawValue)" },
    Side.allCases.map { "side \($0.rawValue)" }, Place.allCases.map { "place \($0.rawValue)" },
    Event.allCases.map { "event \($0.rawValue)" }, Format.allCases.map { "format \($0.rawValue)" },
    Way.allCases.map { "way \($0.rawValue)" },
  ]

  /// The pairs of all levels of different factors.
  static let allPairs: Set<Pair> = {
    var pairs: Set<Pair> = []
    for (number, factor) in factors.enumerated() {
      for level in factor {
        for other in factors[(number + 1)...].joined() { pairs.insert(Pair(first: level, second: other)) }
      }
    }
    return pairs
  }()

  /// The pairs in all sensible combinations, each of which is possible with every format and way.
  private static let sensiblePairs: Set<Pair> = {
    let ofCores = Set(Core.sensible.flatMap { Pair.all(of: $0.levels) })
    return allPairs.filter { pair in
      ofCores.contains(pair) || pair.second.hasPrefix("format ") || pair.second.hasPrefix("way ")
    }
  }()

  /// Each pair is in at least this many rows.
  private static let rounds = 3
  /// The number of rows that are compared before one is chosen.
  private static let choices = 30

  /// Rows that have each sensible pair, the same in each run of the tests.
  static let rows: [Self] = {
    var dice = SplitMix(seed: 44)
    return (0..<rounds).flatMap { _ in coveringRows(&dice) }
  }()

  private static func coveringRows(_ dice: inout SplitMix) -> [Self] {
    var missing = sensiblePairs
    var rows: [Self] = []
    while let pair = missing.min(), let row = bestRow(with: pair, missing, &dice) {
      rows.append(row)
      missing.subtract(row.pairs)
    }
    return rows
  }

  /// The row with the most missing pairs, among some random rows that have a pair.
  private static func bestRow(with pair: Pair, _ missing: Set<Pair>, _ dice: inout SplitMix) -> Self? {
    let levels = [pair.first, pair.second]
    let format = Format.allCases.first { levels.contains("format \($0.rawValue)") }
    let way = Way.allCases.first { levels.contains("way \($0.rawValue)") }
    let ofCore = levels.filter { !$0.hasPrefix("format ") && !$0.hasPrefix("way ") }
    let cores = Core.sensible.filter { core in ofCore.allSatisfy { core.levels.contains($0) } }
    var best: (row: Self, gain: Int)?
    for _ in 0..<choices {
      guard let core = cores.randomElement(using: &dice),
        let anyFormat = Format.allCases.randomElement(using: &dice),
        let anyWay = Way.allCases.randomElement(using: &dice)
      else { return nil }
      let row = Self(core: core, format: format ?? anyFormat, way: way ?? anyWay)
      let gain = row.pairs.filter { missing.contains($0) }.count
      if gain > best?.gain ?? 0 { best = (row, gain) }
    }
    return best?.row
  }
}
