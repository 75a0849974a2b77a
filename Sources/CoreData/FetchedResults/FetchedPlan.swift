/// The edits of sections, and how they are reported.
struct FetchedPlan {
  /// The edit of a section that is there.
  struct Edit {
    /// The indexes of the objects that are taken out, rising.
    var removed: [Int] = []
    /// The objects that are put in, each before the one that has this index when the others have been taken out.
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
  fileprivate mutating func apply(_ edit: FetchedPlan.Edit) { objects.apply(edit, element: \.self) }
}

/// The greatest number of objects for each of which it is worth moving the rest of an array.
private let fewObjects = 8

extension Array {
  /// Edits an array that has an element for each object of a section, in the same order.
  ///
  /// - Parameter element: makes the element of an object that is put in.
  /// - Throws: what `element` throws. The array is as it was then.
  mutating func apply<Failure: Error>(
    _ edit: FetchedPlan.Edit,
    element: (NSManagedObject) throws(Failure) -> Element
  ) throws(Failure) {
    var new: [Element] = []
    new.reserveCapacity(edit.added.count)
    for (_, object) in edit.added { new.append(try element(object)) }
    if edit.removed.count + edit.added.count <= fewObjects {
      for index in edit.removed.reversed() { remove(at: index) }
      for (index, addition) in edit.added.enumerated().reversed() { insert(new[index], at: addition.gap) }
      return
    }
    var result: [Element] = []
    result.reserveCapacity(count - edit.removed.count + edit.added.count)
    var (removed, added, kept) = (0, 0, 0)
    for index in indices {
      if removed < edit.removed.count, edit.removed[removed] == index {
        removed += 1
        continue
      }
      while added < edit.added.count, edit.added[added].gap == kept {
        result.append(new[added])
        added += 1
      }
      result.append(self[index])
      kept += 1
    }
    result += new[added...]
    self = result
  }
}
