import Foundation
import Predicates

/// Plans the positions of changed objects in sorted sections, without changing the sections.
///
/// The planner ignores all changed objects at first. The others are still in order, so that a binary
/// search finds each position. An object that can return to its old position has not moved.
struct FetchedPlanner {
  let order: FetchedOrder
  let sections: [FetchedSection]

  /// An object that is to be put in.
  private struct Placing {
    let object: NSManagedObject
    let values: [EvaluatedValue]
    let section: String
    /// The place where it was; `nil` for a new one.
    let old: FetchedPosition?
    var gap = 0
    /// True when it goes back to where it was.
    var stays = false
  }

  func plan(removed: [NSManagedObject], changed: [NSManagedObject], inserted: [NSManagedObject]) throws -> FetchedPlan {
    let positions = positions(of: removed + changed)
    var plan = FetchedPlan()
    for position in positions.values { plan.edits[position.section, default: .init()].removed.append(position.item) }
    for section in plan.edits.keys { plan.edits[section]?.removed.sort() }
    plan.changes.deletions = removed.compactMap { object in
      positions[ObjectIdentifier(object)].map { FetchedChanges.Deletion(object: object, from: $0) }
    }
    let placings = try sorted(
      changed.map { try placing($0, old: positions[ObjectIdentifier($0)]) }
        + inserted.map { try placing($0, old: nil) }
    )
    var (known, strangers) = try place(placings, plan: plan)
    for section in known.keys { Self.arrange(&known[section]!) }
    for (section, placings) in known {
      plan.edits[section, default: .init()].added = placings.map { ($0.gap, $0.object) }
    }
    plan.droppedSections = order.isSectioned ? emptied(plan) : []
    let newSections = try newSections(strangers, known: known, plan: plan)
    plan.newSections = newSections.map { new in
      (new.gap, FetchedSection(name: new.placings[0].section, objects: new.placings.map(\.object)))
    }
    report(known, strangers: newSections.map(\.placings), in: &plan)
    return plan
  }

  // MARK: - Where objects are

  /// The place of an object: looked for where its values put it, and, if they have changed, everywhere.
  func position(of object: NSManagedObject) -> FetchedPosition? {
    if let values = try? order.values(of: object), let name = try? order.sectioning.name(of: object),
      let section = sections.firstIndex(where: { $0.name == name })
    {
      let objects = sections[section].objects
      if let gaps = try? order.gaps(for: values, in: RemainingObjects(objects, without: [])),
        let index = objects[gaps.lowerBound..<gaps.upperBound].firstIndex(where: { $0 === object })
      {
        return FetchedPosition(section: section, item: index)
      }
    }
    return positions(of: [object]).values.first
  }

  /// The greatest number of objects that are worth a search for each.
  private static let fewObjects = 4

  private func positions(of wanted: [NSManagedObject]) -> [ObjectIdentifier: FetchedPosition] {
    var positions: [ObjectIdentifier: FetchedPosition] = [:]
    if wanted.isEmpty { return positions }
    let identities = Set(wanted.map(ObjectIdentifier.init))
    for (section, objects) in sections.enumerated().lazy.map({ ($0.offset, $0.element.objects) }) {
      if wanted.count <= Self.fewObjects {
        for object in wanted {
          guard let index = objects.firstIndex(where: { $0 === object }) else { continue }
          positions[ObjectIdentifier(object)] = FetchedPosition(section: section, item: index)
        }
      } else {
        for (index, object) in objects.enumerated() where identities.contains(ObjectIdentifier(object)) {
          positions[ObjectIdentifier(object)] = FetchedPosition(section: section, item: index)
        }
      }
      if positions.count == identities.count { break }
    }
    return positions
  }

  // MARK: - Where objects belong

  private func placing(_ object: NSManagedObject, old: FetchedPosition?) throws -> Placing {
    Placing(
      object: object,
      values: try order.values(of: object),
      section: try order.sectioning.name(of: object),
      old: old
    )
  }

  /// In order; what is the same to it stays as it was, and new objects come last.
  private func sorted(_ placings: [Placing]) throws -> [Placing] {
    let byPlace = placings.enumerated().sorted { one, other in
      switch (one.element.old, other.element.old) {
      case (let first?, let second?): first < second
      case (nil, nil): one.offset < other.offset
      case (let first, _): first != nil
      }
    }
    return try byPlace.map(\.element).enumerated().sorted { one, other in
      switch try order.sorter.compare(one.element.values, second: other.element.values) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: one.offset < other.offset
      }
    }.map(\.element)
  }

  /// Finds the gaps of objects whose section is there; the others are strangers.
  private func place(
    _ placings: [Placing],
    plan: FetchedPlan
  ) throws -> (known: [Int: [Placing]], strangers: [Placing]) {
    let indexes = placings.count > Self.fewObjects ? sectionIndexes : nil
    var known: [Int: [Placing]] = [:]
    var strangers: [Placing] = []
    for var placing in placings {
      let section = indexes.map { $0[placing.section] } ?? sections.firstIndex { $0.name == placing.section }
      guard let section else {
        strangers.append(placing)
        continue
      }
      let objects = remaining(section, plan: plan)
      let gaps = try order.gaps(for: placing.values, in: objects)
      placing.gap = gaps.upperBound
      if let old = placing.old, old.section == section {
        let gap = objects.count(before: old.item)
        placing.stays = gaps.contains(gap)
        if placing.stays { placing.gap = gap }
      }
      known[section, default: []].append(placing)
    }
    return (known, strangers)
  }

  private var sectionIndexes: [String: Int] {
    Dictionary(sections.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func remaining(_ section: Int, plan: FetchedPlan) -> RemainingObjects {
    RemainingObjects(sections[section].objects, without: plan.edits[section]?.removed ?? [])
  }

  /// Puts those with the same gap in order, and decides which of them have moved past each other.
  private static func arrange(_ placings: inout [Placing]) {
    placings = placings.enumerated().sorted { ($0.element.gap, $0.offset) < ($1.element.gap, $1.offset) }
      .map(\.element)
    let stays = LongestIncreasingSubsequence.longest(
      placings.map { $0.stays ? $0.old.map { Int64($0.item) } : nil }
    )
    for index in placings.indices { placings[index].stays = stays[index] }
  }

  // MARK: - Sections

  private func emptied(_ plan: FetchedPlan) -> Set<Int> {
    Set(
      plan.edits.keys.filter { section in
        remaining(section, plan: plan).count == 0 && plan.edits[section]?.added.isEmpty != false
      }
    )
  }

  /// Groups strangers into sections, each where its first object belongs.
  private func newSections(
    _ strangers: [Placing],
    known: [Int: [Placing]],
    plan: FetchedPlan
  ) throws -> [(gap: Int, placings: [Placing])] {
    if strangers.isEmpty { return [] }
    var groups: [[Placing]] = []
    var indexes: [String: Int] = [:]
    for stranger in strangers {
      let index = indexes[stranger.section] ?? groups.count
      if index == groups.count {
        indexes[stranger.section] = index
        groups.append([])
      }
      groups[index].append(stranger)
    }
    let present = sections.indices.filter { !plan.droppedSections.contains($0) }
    let placed = try groups.map { placings in
      var low = 0
      var high = present.count
      while low < high {
        let middle = (low + high) / 2
        let first = try firstValues(present[middle], known: known, plan: plan)
        if try order.isBefore(placings[0].values, other: first) { high = middle } else { low = middle + 1 }
      }
      return (gap: low < present.count ? present[low] : sections.count, placings: placings)
    }
    return placed.enumerated().sorted { ($0.element.gap, $0.offset) < ($1.element.gap, $1.offset) }
      .map(\.element)
  }

  /// The sort values of a section's first object, by which the section's position is found.
  private func firstValues(_ section: Int, known: [Int: [Placing]], plan: FetchedPlan) throws -> [EvaluatedValue] {
    let objects = remaining(section, plan: plan)
    if objects.count > 0 { return try order.values(of: objects[0]) }
    return known[section]?.first?.values ?? []
  }

  // MARK: - Reporting

  private func report(_ known: [Int: [Placing]], strangers: [[Placing]], in plan: inout FetchedPlan) {
    var newIndexes = [Int](repeating: 0, count: sections.count)
    var (index, next) = (0, 0)
    for section in 0...sections.count {
      while next < plan.newSections.count, plan.newSections[next].gap == section {
        plan.changes.insertedSections.append(
          FetchedChanges.Section(section: plan.newSections[next].section, index: index)
        )
        for (item, placing) in strangers[next].enumerated() {
          report(placing, new: FetchedPosition(section: index, item: item), in: &plan)
        }
        index += 1
        next += 1
      }
      guard section < sections.count else { break }
      if plan.droppedSections.contains(section) {
        let dropped = FetchedSection(name: sections[section].name, objects: [])
        plan.changes.deletedSections.append(FetchedChanges.Section(section: dropped, index: section))
      } else {
        newIndexes[section] = index
        index += 1
      }
    }
    for (section, placings) in known {
      for (offset, placing) in placings.enumerated() {
        let item = placing.gap + offset
        report(placing, new: FetchedPosition(section: newIndexes[section], item: item), in: &plan)
      }
    }
    plan.changes.sort()
  }

  private func report(_ placing: Placing, new: FetchedPosition, in plan: inout FetchedPlan) {
    guard let old = placing.old else {
      plan.changes.insertions.append(FetchedChanges.Insertion(object: placing.object, to: new))
      return
    }
    let move = FetchedChanges.Move(object: placing.object, from: old, to: new)
    if placing.stays { plan.changes.updates.append(move) } else { plan.changes.moves.append(move) }
  }
}
