import CoreData

/// Gives different ranks to objects that have equal attributes and equal related objects.
///
/// The tie breaker picks one of the alike objects, then separates the objects related to it step by step until no step
/// separates more, and then picks the next one. Pairs of alike objects therefore stay pairs: if `A` is numbered first
/// of its kind, its own `B` is, too, and not the `B` of another `A`. For interchangeable objects of one kind it does
/// not matter which one is picked. An object is compared again only after an object related to it was separated.
struct TieBreaker {
  /// A link to or from another object: its relationship and its position in the relationship.
  private struct Link {
    let other: Int
    /// The number of the relationship among all names, twice, and one more for the way back.
    let name: Int
    /// The place in an ordered relationship.
    let place: Int
  }

  private let objects: [NSManagedObject]
  private var ranks: [Int]
  /// The number of objects of each rank; `members` still has those that had the rank at first.
  private var counts: [Int] = []
  private var members: [[Int]] = []
  /// The links of each object: the objects that lead to it, and those that it leads to.
  private var links: [[Link]]

  /// - Parameters:
  ///   - objects: All that there are, in the order in which alike ones are set apart.
  ///   - ranks: Equal numbers for objects that are alike, from 0.
  init(objects: [NSManagedObject], ranks: [NSManagedObjectID: Int]) {
    self.objects = objects
    self.ranks = objects.map { ranks[$0.objectID] ?? 0 }
    links = Array(repeating: [], count: objects.count)
    let most = (self.ranks.max() ?? 0) + 1
    counts = Array(repeating: 0, count: most)
    members = Array(repeating: [], count: most)
    for (index, rank) in self.ranks.enumerated() {
      counts[rank] += 1
      members[rank].append(index)
    }
    link()
  }

  /// Ranks that are different for all of the given objects.
  mutating func ranks(apart labelled: Set<NSManagedObject>) -> [NSManagedObjectID: Int] {
    let isLabelled = objects.map(labelled.contains)
    // Positions in the ordered relationships of other objects have not been compared yet.
    refine(by: Array(members.indices))
    var rank = 0
    // Ranks are added while this goes on.
    while rank < members.count {
      for index in members[rank] where ranks[index] == rank && counts[rank] > 1 && isLabelled[index] {
        refine(by: [give([index])])
      }
      rank += 1
    }
    return Dictionary(uniqueKeysWithValues: zip(objects.map(\.objectID), ranks))
  }

  private mutating func link() {
    let numbers = Dictionary(uniqueKeysWithValues: objects.indices.map { (objects[$0].objectID, $0) })
    let names = Set(objects.map(\.entity)).flatMap(\.relationshipsByName.keys)
    let order = Dictionary(uniqueKeysWithValues: Set(names).sorted().enumerated().map { ($1, $0) })
    for (index, object) in objects.enumerated() {
      for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient {
        for (place, other) in relationship.destinations(of: object).enumerated() {
          guard let number = numbers[other.objectID] else { continue }
          let (name, place) = (2 * (order[name] ?? 0), relationship.isOrdered ? place : 0)
          links[number].append(Link(other: index, name: name, place: place))
          links[index].append(Link(other: number, name: name + 1, place: place))
        }
      }
    }
  }

  /// Separates the objects of one rank that are related to different objects of other ranks.
  private mutating func refine(by ranks: [Int]) {
    var waiting = ranks
    while let splitter = waiting.popLast() {
      var signatures: [Int: [[Int]]] = [:]
      for index in members[splitter] where self.ranks[index] == splitter {
        for link in links[index] { signatures[link.other, default: []].append([link.name, link.place]) }
      }
      let affected = Dictionary(grouping: signatures.keys) { self.ranks[$0] }
      for (rank, indices) in affected.sorted(by: { $0.key < $1.key }) where counts[rank] > 1 {
        let groups = Dictionary(grouping: indices.sorted()) { index in
          (signatures[index] ?? []).sorted { $0.lexicographicallyPrecedes($1) }
        }
        var parts = groups.sorted { one, other in
          one.key.lexicographicallyPrecedes(other.key) { $0.lexicographicallyPrecedes($1) }
        }
        // If every object leaves the rank, the first group keeps it.
        if indices.count == counts[rank] { parts.removeFirst() }
        for part in parts { waiting.append(give(part.value)) }
      }
    }
  }

  /// - Returns: The new rank.
  private mutating func give(_ indices: [Int]) -> Int {
    let rank = members.count
    for index in indices {
      counts[ranks[index]] -= 1
      ranks[index] = rank
    }
    counts.append(indices.count)
    members.append(indices)
    return rank
  }
}
