/// Compares two versions of a model, entity by entity.
struct ModelComparison {
  let old: ModelHierarchy
  let new: ModelHierarchy
  var changes: [ModelDifference.Change] = []
  /// The older names of the newer entities that have been there before.
  let oldNames: [String: String]

  init(old: ModelDocument, new: ModelDocument) {
    self.old = ModelHierarchy(old)
    self.new = ModelHierarchy(new)
    oldNames = Self.match(
      new.entities.map { ($0.name, $0.elementID) },
      with: old.entities.map { ($0.name, $0.elementID) }
    )
  }

  mutating func run() {
    for entity in new.document.entities.sorted(by: { BinaryOrder.isLess($0.name, $1.name) }) {
      if let former = oldNames[entity.name].flatMap({ old.entities[$0] }) {
        compare(former, entity)
      } else {
        report("entity \(entity.name)", "added")
      }
    }
    let kept = Set(oldNames.values)
    for entity in old.document.entities.sorted(by: { BinaryOrder.isLess($0.name, $1.name) })
    where !kept.contains(entity.name) {
      report("entity \(entity.name)", "removed")
    }
    findMergedHierarchies()
    compareParts("fetch request", old.document.fetchRequests, new.document.fetchRequests, name: \.name)
    compareParts("configuration", old.document.configurations, new.document.configurations, name: \.name)
    compareParts("composite", old.document.composites, new.document.composites, name: \.name)
    reportFields("model", old.document, new.document, only: ["userDefinedModelVersionIdentifier"])
  }

  mutating func report(_ subject: String, _ change: String, obstacle: String? = nil) {
    changes.append(.init(subject: subject, change: change, obstacle: obstacle))
  }

  private mutating func compare(_ former: ModelDocument.Entity, _ entity: ModelDocument.Entity) {
    let subject = "entity \(entity.name)"
    if former.name != entity.name { report(subject, "renamed from \(former.name)") }
    let formerParent = former.parentEntity ?? "none"
    let parent = entity.parentEntity.map { oldNames[$0] ?? $0 } ?? "none"
    if formerParent != parent { report(subject, "parent: \(formerParent) -> \(parent)") }
    reportFields(subject, former, entity, except: ["name", "elementID", "parentEntity"])
    compareProperties(former, entity)
    compareParts("\(subject), index", former.fetchIndexes, entity.fetchIndexes, name: \.name)
    let constraints = [former, entity].map { entity in
      (entity.uniquenessConstraints ?? []).map { $0.properties.map(\.value).joined(separator: ", ") }
    }
    for names in constraints[1] where !constraints[0].contains(names) {
      report(subject, "constraint added: \(names)")
    }
    for names in constraints[0] where !constraints[1].contains(names) {
      report(subject, "constraint removed: \(names)")
    }
    if userInfo(former.userInfo) != userInfo(entity.userInfo) { report(subject, "userInfo changed") }
  }

  func userInfo(_ entries: [ModelDocument.UserInfoEntry]?) -> [String: String?] {
    Dictionary((entries ?? []).map { ($0.key, $0.value) }) { _, last in last }
  }

  /// Entities that shared no ancestor cannot share one afterwards.
  private mutating func findMergedHierarchies() {
    var formerRoots: [String: Set<String>] = [:]
    for (name, oldName) in oldNames {
      formerRoots[new.root(of: name), default: []].insert(old.root(of: oldName))
    }
    for (root, former) in formerRoots.sorted(by: { $0.key < $1.key }) where former.count > 1 {
      report(
        "entity \(root)",
        "the hierarchies of \(former.sorted().joined(separator: " and ")) merged",
        obstacle: "entities that did not share an ancestor cannot share one afterwards"
      )
    }
  }

  /// Compares what has no objects in a store.
  private mutating func compareParts<Part: ContentsPart>(
    _ kind: String,
    _ former: [Part],
    _ parts: [Part],
    name: (Part) -> String
  ) {
    let formerTexts = texts(former, name)
    let newTexts = texts(parts, name)
    for key in Set(formerTexts.keys).union(newTexts.keys).sorted() {
      switch (formerTexts[key], newTexts[key]) {
      case (nil, _): report("\(kind) \(key)", "added")
      case (_, nil): report("\(kind) \(key)", "removed")
      case (let before?, let after?) where before != after: report("\(kind) \(key)", "changed")
      default: break
      }
    }
  }

  private func texts<Part: ContentsPart>(_ parts: [Part], _ name: (Part) -> String) -> [String: String] {
    Dictionary(parts.map { (name($0), ContentsPrinter.print($0.contentsElement)) }) { first, _ in first }
  }

  /// Reports the XML attributes that differ.
  mutating func reportFields<Part: ContentsPart>(
    _ subject: String,
    _ former: Part,
    _ part: Part,
    except: Set<String> = [],
    only: Set<String>? = nil,
    obstacles: [String: String] = [:]
  ) {
    for field in Part.fields where only?.contains(field.name) ?? !except.contains(field.name) {
      let before = field.write(former)
      let after = field.write(part)
      if before == after { continue }
      let change = "\(field.name): \(before ?? "none") -> \(after ?? "none")"
      report(subject, change, obstacle: obstacles[field.name])
    }
  }

  /// The older name of each newer thing that has been there before: first by the renaming identifier as a name,
  /// then by equal canonical names, then by name.
  static func match(
    _ new: [(name: String, identifier: String?)],
    with old: [(name: String, identifier: String?)]
  ) -> [String: String] {
    var free = Dictionary(old.map { ($0.name, $0.identifier ?? $0.name) }) { first, _ in first }
    var found: [String: String] = [:]
    for (name, identifier) in new {
      if let identifier, free.removeValue(forKey: identifier) != nil { found[name] = identifier }
    }
    for (name, identifier) in new where found[name] == nil {
      let canonical = identifier ?? name
      if let match = free.filter({ $0.value == canonical }).keys.min() {
        free[match] = nil
        found[name] = match
      }
    }
    for (name, _) in new where found[name] == nil && free.removeValue(forKey: name) != nil {
      found[name] = name
    }
    return found
  }
}
