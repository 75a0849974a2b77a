/// The name of an entity, a property, or an element of a composite attribute in one version of a model.
package struct VersionedName: Sendable {
  package let name: String
  /// The renaming identifier; `nil` if the model does not set one.
  package let identifier: String?

  package init(_ name: String, identifier: String?) {
    self.name = name
    self.identifier = identifier
  }

  /// The identifier that two versions compare: the name unless another one is set (Apple's
  /// documentation of `renamingIdentifier`).
  private var canonicalName: String { identifier ?? name }

  /// Finds the older name of each newer thing that was there before.
  ///
  /// Xcode keeps a renaming identifier in all later versions, so that the name of one part can be
  /// the identifier of another. Each rule below applies to the parts that the rules before it have
  /// not matched, and each older part is matched once:
  ///
  /// 1. A thing with the same name and the same identifier in both versions is itself.
  /// 2. Things with the same identifier are the same ("Lightweight Migration" in Apple's Core Data
  ///    Model Versioning and Data Migration Programming Guide calls it the canonical name). If two
  ///    older things share the identifier, the thing that has it as its name is taken.
  /// 3. A newer thing whose identifier is the older thing's name is that thing, although the older
  ///    thing has an identifier of its own.
  /// 4. Things with the same name are the same.
  ///
  /// - Returns: the older names by the newer ones; new things are not among them.
  package static func formerNames(of new: [Self], in old: [Self]) -> [String: String] {
    var matching = Matching(free: Dictionary(old.map { ($0.name, $0.canonicalName) }) { first, _ in first })
    matching.match(new) { thing, free in free[thing.name] == thing.canonicalName ? thing.name : nil }
    matching.match(new) { thing, free in
      if free[thing.canonicalName] == thing.canonicalName { return thing.canonicalName }
      return free.filter { $0.value == thing.canonicalName }.keys.min()
    }
    matching.match(new) { thing, free in free[thing.canonicalName] == nil ? nil : thing.canonicalName }
    matching.match(new) { thing, free in free[thing.name] == nil ? nil : thing.name }
    return matching.found
  }

  /// The matches that were found, and the identifiers of the older things that are left, by name.
  private struct Matching {
    var free: [String: String]
    var found: [String: String] = [:]

    mutating func match(_ new: [VersionedName], _ rule: (VersionedName, [String: String]) -> String?) {
      for thing in new where found[thing.name] == nil {
        guard let name = rule(thing, free) else { continue }
        free[name] = nil
        found[thing.name] = name
      }
    }
  }
}
