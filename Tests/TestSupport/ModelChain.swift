/// A sequence of model versions, each derived from the previous one by a few random changes. Renaming identifiers stay in all
/// later versions, as Xcode keeps them.
///
/// Every thing has a unique number for as long as it exists. A rename keeps the number, and a new thing that reuses the name
/// of a removed one has a new number. So the numbers say what a migration has to keep, whatever the names are.
package struct ModelChain {
  /// A column of an entity, or an element of a composite attribute.
  package struct Column {
    package enum Kind {
      case text
      case composite([Column])
      /// - Parameters:
      ///   - destination: the number of the destination entity.
      ///   - inverse: the number of the inverse relationship.
      case relationship(destination: Int, inverse: Int, isToMany: Bool)
    }

    package let number: Int
    package var name: String
    package var identifier: String?
    package var kind: Kind

    package var elements: [Column] {
      if case .composite(let elements) = kind { elements } else { [] }
    }

    fileprivate var isRelationship: Bool {
      if case .relationship = kind { true } else { false }
    }
  }

  package struct Entity {
    package let number: Int
    package var name: String
    package var identifier: String?
    package var columns: [Column] = []
  }

  package struct Version {
    package var entities: [Entity] = []

    /// The entity with a number.
    package func entity(_ number: Int) -> Entity? { entities.first { $0.number == number } }
  }

  /// The versions so far, oldest first.
  package private(set) var versions: [Version] = []
  private var random: SplitMix
  private let reusesNames: Bool
  private var last = 0

  /// Makes the first version.
  ///
  /// - Parameter reusesNames: true if new things may reuse the names of removed things.
  package init(seed: UInt64, reusesNames: Bool) {
    random = SplitMix(seed: seed)
    self.reusesNames = reusesNames
    var version = Version()
    for _ in 0..<2 { addEntity(to: &version) }
    for _ in 0..<2 { addRelationship(to: &version) }
    versions.append(version)
  }

  /// Makes the next version by up to three changes.
  ///
  /// A change is dropped if names and identifiers would no longer tell two things apart. A name that two things have swapped
  /// is reused once one of them is removed, so that a chain without reused names compares the change with all versions.
  package mutating func addVersion() {
    guard let former = versions.last else { return }
    let formers = reusesNames ? [former] : versions
    var version = former
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      var changed = version
      change(&changed)
      if formers.allSatisfy({ Ambiguity.isNone(from: $0, to: changed) }) { version = changed }
    }
    versions.append(version)
  }

  // MARK: - Changes

  private mutating func change(_ version: inout Version) {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: addEntity(to: &version)
    case 1: removeEntity(from: &version)
    case 2: rename(&version.entities, "E")
    case 3: swapNames(&version.entities)
    case 4, 5: addRelationship(to: &version)
    case 6: removeRelationship(from: &version)
    case let number:
      guard let place = version.entities.indices.randomElement(using: &random) else { return }
      var columns = version.entities[place].columns
      changeColumns(&columns, number)
      version.entities[place].columns = columns
    }
  }

  private mutating func changeColumns(_ columns: inout [Column], _ number: Int) {
    switch number {
    case 7, 8: columns.append(makeColumn(among: columns, canHaveElements: true))
    case 9:
      if let place = columns.indices.filter({ !columns[$0].isRelationship }).randomElement(using: &random) {
        columns.remove(at: place)
      }
    case 10, 11: rename(&columns, "c")
    case 12, 13: swapNames(&columns)
    default:
      guard
        let place = columns.indices.filter({ !columns[$0].elements.isEmpty }).randomElement(using: &random)
      else { return rename(&columns, "c") }
      var elements = columns[place].elements
      switch Int.random(in: 0..<4, using: &random) {
      case 0: elements.append(makeColumn(among: elements, canHaveElements: false))
      case 1 where elements.count > 1:
        elements.remove(at: elements.indices.randomElement(using: &random) ?? 0)
      case 2: swapNames(&elements)
      default: rename(&elements, "c")
      }
      columns[place].kind = .composite(elements)
    }
  }

  private mutating func number() -> Int {
    last += 1
    return last
  }

  /// A name that is not taken.
  private mutating func freeName(_ prefix: String, _ taken: [String]) -> String {
    if !reusesNames { return "\(prefix)\(number())" }
    var pool = taken.count + 3
    while true {
      let name = "\(prefix)\(Int.random(in: 0..<pool, using: &random))"
      if !taken.contains(name) { return name }
      pool += 1
    }
  }

  private mutating func makeColumn(among columns: [Column], canHaveElements: Bool) -> Column {
    let name = freeName("c", columns.map(\.name))
    guard canHaveElements, Int.random(in: 0..<4, using: &random) == 0 else {
      return Column(number: number(), name: name, kind: .text)
    }
    var elements: [Column] = []
    for _ in 0..<2 { elements.append(makeColumn(among: elements, canHaveElements: false)) }
    return Column(number: number(), name: name, kind: .composite(elements))
  }

  private mutating func addEntity(to version: inout Version) {
    var entity = Entity(number: number(), name: freeName("E", version.entities.map(\.name)))
    for _ in 0..<3 { entity.columns.append(makeColumn(among: entity.columns, canHaveElements: true)) }
    version.entities.append(entity)
  }

  /// Removes an entity and the relationships that lead to it.
  private mutating func removeEntity(from version: inout Version) {
    guard version.entities.count > 1, let gone = version.entities.randomElement(using: &random) else {
      return
    }
    version.entities.removeAll { $0.number == gone.number }
    for place in version.entities.indices {
      version.entities[place].columns.removeAll { column in
        if case .relationship(gone.number, _, _) = column.kind { true } else { false }
      }
    }
  }

  /// Adds a relationship with its inverse.
  private mutating func addRelationship(to version: inout Version) {
    guard let source = version.entities.indices.randomElement(using: &random),
      let destination = version.entities.indices.randomElement(using: &random)
    else { return }
    let (one, other) = (number(), number())
    let isToMany = Bool.random(using: &random)
    for (place, own, target, inverse, isToMany) in [
      (source, one, destination, other, isToMany), (destination, other, source, one, true),
    ] {
      let kind = Column.Kind.relationship(
        destination: version.entities[target].number,
        inverse: inverse,
        isToMany: isToMany
      )
      let name = freeName("c", version.entities[place].columns.map(\.name))
      version.entities[place].columns.append(Column(number: own, name: name, kind: kind))
    }
  }

  private mutating func removeRelationship(from version: inout Version) {
    let all = version.entities.flatMap(\.columns).filter(\.isRelationship)
    guard let gone = all.randomElement(using: &random), case .relationship(_, let inverse, _) = gone.kind
    else {
      return
    }
    for place in version.entities.indices {
      version.entities[place].columns.removeAll { $0.number == gone.number || $0.number == inverse }
    }
  }

  private mutating func rename<Thing: RenamableThing>(_ things: inout [Thing], _ prefix: String) {
    guard let place = things.indices.randomElement(using: &random) else { return }
    let name = freeName(prefix, things.map(\.name))
    things[place].identifier = things[place].canonicalName
    things[place].name = name
  }

  private mutating func swapNames<Thing: RenamableThing>(_ things: inout [Thing]) {
    guard let one = things.indices.randomElement(using: &random),
      let other = things.indices.filter({ things[$0].group == things[one].group && $0 != one })
        .randomElement(using: &random)
    else { return }
    for place in [one, other] { things[place].identifier = things[place].canonicalName }
    (things[one].name, things[other].name) = (things[other].name, things[one].name)
  }
}

/// An entity or a column, which has a name and may have a renaming identifier.
private protocol RenamableThing {
  var number: Int { get }
  var name: String { get set }
  var identifier: String? { get set }
  /// The number of the group in which names and identifiers have to distinguish things.
  var group: Int { get }
}

extension RenamableThing {
  var canonicalName: String { identifier ?? name }
}

extension ModelChain.Entity: RenamableThing {
  fileprivate var group: Int { 0 }
}

extension ModelChain.Column: RenamableThing {
  fileprivate var group: Int { isRelationship ? 1 : 0 }
}

/// Decides whether names and identifiers identify each thing across two versions.
private enum Ambiguity {
  static func isNone(from former: ModelChain.Version, to version: ModelChain.Version) -> Bool {
    isNone(from: former.entities, to: version.entities)
      && version.entities.allSatisfy { entity in
        guard let before = former.entity(entity.number) else { return true }
        return isNone(from: before.columns, to: entity.columns)
          && entity.columns.allSatisfy { column in
            guard let before = before.columns.first(where: { $0.number == column.number }) else {
              return true
            }
            return isNone(from: before.elements, to: column.elements)
          }
      }
  }

  private static func isNone<Thing: RenamableThing>(from old: [Thing], to new: [Thing]) -> Bool {
    [0, 1].allSatisfy { group in
      isNone(among: old.filter { $0.group == group }, and: new.filter { $0.group == group })
    }
  }

  private static func isNone<Thing: RenamableThing>(among old: [Thing], and new: [Thing]) -> Bool {
    var (old, new) = (old, new)
    // Things with equal names and identifiers are matched, so they must have the same number.
    for thing in new {
      guard let same = old.first(where: { $0.name == thing.name && $0.canonicalName == thing.canonicalName })
      else { continue }
      if same.number != thing.number { return false }
      old.removeAll { $0.number == same.number }
      new.removeAll { $0.number == same.number }
    }
    for thing in new {
      let before = old.filter { $0.canonicalName == thing.canonicalName }
      let after = new.filter { $0.canonicalName == thing.canonicalName }
      if old.contains(where: { $0.number == thing.number }) {
        if before.count != 1 || after.count != 1 || before[0].number != thing.number { return false }
      } else if !before.isEmpty || old.contains(where: { $0.name == thing.name }) {
        return false
      }
    }
    return true
  }
}
