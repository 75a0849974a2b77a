extension SQLSavePlan {
  /// Gives the objects that a save inserts their keys.
  ///
  /// - Parameters:
  ///   - store: the index of the store.
  ///   - reserve: answers the first of so many keys that follow each other, for a root entity by its
  ///     number in the model.
  /// - Returns: the keys of each group of insertions, and the references by the temporary keys.
  package func assignKeys(
    store: Int32,
    reserve: (_ count: Int, _ root: Int32) throws -> Int64
  ) throws -> (keys: [[Int64]], references: [Int64: ObjectReference]) {
    var counts: [Int32: Int] = [:]
    for group in insertions {
      let temporary = (0..<group.count).count { group.reference($0).isTemporary }
      counts[group.entity.layout.rootNumber, default: 0] += temporary
    }
    var references: [Int64: ObjectReference] = [:]
    references.reserveCapacity(counts.values.reduce(0, +))
    var next: [Int32: Int64] = [:]
    for (root, count) in counts where count > 0 { next[root] = try reserve(count, root) }
    var keys: [[Int64]] = []
    for group in insertions {
      let layout = group.entity.layout
      var key = next[layout.rootNumber, default: 0]
      keys.append(
        (0..<group.count).map { index in
          let reference = group.reference(index)
          guard reference.isTemporary else { return reference.key }
          defer { key &+= 1 }
          references[reference.key] = ObjectReference(key: key, entity: layout.number, store: store)
          return key
        }
      )
      next[layout.rootNumber] = key
    }
    return (keys, references)
  }
}
