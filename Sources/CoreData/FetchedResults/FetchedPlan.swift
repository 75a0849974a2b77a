/// The edits of sections, and how they are reported.
struct FetchedPlan {
  /// The edit of a section that is there.
  struct Edit {
    /// The indexes of the objects that are taken out, rising.
    var removed: [Int] = []
    /// The objects that are put in, each before the one that has this index when the others have
    /// been taken out.
    var added: [(gap: Int, object: NSManagedObject)] = []
  }

  /// By the index of the section.
  var edits: [Int: Edit] = [:]
  /// The indexes of the sections that go.
  var droppedSections: Set<Int> = []
  /// The sections that come, each before the one that has this index now.
  var newSections: [(gap: Int, section: FetchedSection)] = []
  var changes = FetchedChanges()
}

extension [FetchedSection] {
  /// Takes a plan into effect.
  mutating func apply(_ plan: FetchedPlan) {
    for (index, edit) in plan.edits { self[index].apply(edit) }
    if plan.droppedSections.isEmpty, plan.newSections.isEmpty { return }
    var result: [FetchedSection] = []
    var next = 0
    for index in 0...count {
      while next < plan.newSections.count, plan.newSections[next].gap == index {
        result.append(plan.newSections[next].section)
        next += 1
      }
      if index < count, !plan.droppedSections.contains(index) { result.append(self[index]) }
    }
    self = result
  }
}

extension FetchedSection {
  /// The greatest number of objects for each of which it is worth moving the rest of the array.
  private static let fewObjects = 8

  fileprivate mutating func apply(_ edit: FetchedPlan.Edit) {
    if edit.removed.count + edit.added.count <= Self.fewObjects {
      for index in edit.removed.reversed() { objects.remove(at: index) }
      for (gap, object) in edit.added.reversed() { objects.insert(object, at: gap) }
      return
    }
    var result: [NSManagedObject] = []
    result.reserveCapacity(objects.count - edit.removed.count + edit.added.count)
    var (removed, added, kept) = (0, 0, 0)
    for (index, object) in objects.enumerated() {
      if removed < edit.removed.count, edit.removed[removed] == index {
        removed += 1
        continue
      }
      while added < edit.added.count, edit.added[added].gap == kept {
        result.append(edit.added[added].object)
        added += 1
      }
      result.append(object)
      kept += 1
    }
    result += edit.added[added...].map(\.object)
    objects = result
  }
}
