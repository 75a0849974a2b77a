/// Compares two versions of a model, entity by entity.
struct ModelComparison {
  let correspondence: ModelCorrespondence
  var changes: [ModelDifference.Change] = []
  /// The entity that is being compared, to which changes belong.
  private var entity: String?
  var old: ModelHierarchy { correspondence.old }
  var new: ModelHierarchy { correspondence.new }
  /// The older names of the newer entities that have been there before.
  var oldNames: [String: String] { correspondence.entities }

  init(_ correspondence: ModelCorrespondence) { self.correspondence = correspondence }

  mutating func run() {
    for entity in new.document.entities.sorted(by: { BinaryOrder.isLess($0.name, right: $1.name) }) {
      self.entity = entity.name
      if let former = oldNames[entity.name].flatMap({ old.entities[$0] }) {
        compare(former, entity: entity)
      } else {
        report("entity \(entity.name)", change: "added")
      }
    }
    let matched = Set(oldNames.values)
    for entity in old.document.entities.sorted(by: { BinaryOrder.isLess($0.name, right: $1.name) })
    where !matched.contains(entity.name) {
      self.entity = entity.name
      report("entity \(entity.name)", change: "removed")
    }
    findMergedHierarchies()
    entity = nil
    compareParts(
      "fetch request",
      former: old.document.fetchRequests,
      parts: new.document.fetchRequests,
      name: \.name
    )
    compareParts(
      "configuration",
      former: old.document.configurations,
      parts: new.document.configurations,
      name: \.name
    )
    compareParts("composite", former: old.document.composites, parts: new.document.composites, name: \.name)
    reportFields(
      "model",
      former: old.document,
      part: new.document,
      only: ["userDefinedModelVersionIdentifier"]
    )
  }

  mutating func report(
    _ subject: String,
    change: String,
    obstacle: String? = nil,
    condition: String? = nil,
    place: ModelDifference.Place? = nil,
    values: ModelDifference.Values? = nil
  ) {
    changes.append(
      .init(
        subject: subject,
        change: change,
        obstacle: obstacle,
        condition: condition,
        place: place,
        entity: entity,
        values: values
      )
    )
  }

  private mutating func compare(_ former: ModelDocument.Entity, entity: ModelDocument.Entity) {
    let subject = "entity \(entity.name)"
    if former.name != entity.name { report(subject, change: "renamed from \(former.name)") }
    let formerParent = former.parentEntity ?? "none"
    let parent = entity.parentEntity.map { oldNames[$0] ?? $0 } ?? "none"
    if formerParent != parent {
      report(
        subject,
        change: "parent: \(formerParent) -> \(parent)",
        values: .init(field: "parent", before: former.parentEntity, after: entity.parentEntity)
      )
    }
    reportFields(subject, former: former, part: entity, except: ["name", "elementID", "parentEntity"])
    compareProperties(former, entity: entity)
    compareParts("\(subject), index", former: former.fetchIndexes, parts: entity.fetchIndexes, name: \.name)
    let constraints = [former, entity].map { entity in
      (entity.uniquenessConstraints ?? []).map { $0.properties.map(\.value).joined(separator: ", ") }
    }
    for names in constraints[1] where !constraints[0].contains(names) {
      report(subject, change: "constraint added: \(names)")
    }
    for names in constraints[0] where !constraints[1].contains(names) {
      report(subject, change: "constraint removed: \(names)")
    }
    if userInfo(former.userInfo) != userInfo(entity.userInfo) { report(subject, change: "userInfo changed") }
  }

  func userInfo(_ entries: [ModelDocument.UserInfoEntry]?) -> [String: String?] {
    Dictionary((entries ?? []).map { ($0.key, $0.value) }) { _, last in last }
  }

  /// Entities without a common ancestor cannot get one later.
  private mutating func findMergedHierarchies() {
    var formerRoots: [String: Set<String>] = [:]
    for (name, oldName) in oldNames {
      formerRoots[new.root(of: name), default: []].insert(old.root(of: oldName))
    }
    for (root, former) in formerRoots.sorted(by: { $0.key < $1.key }) where former.count > 1 {
      entity = root
      report(
        "entity \(root)",
        change: "the hierarchies of \(former.sorted().joined(separator: " and ")) merged",
        obstacle: "entities that did not share an ancestor cannot share one afterwards",
        place: .init(entity: root, property: nil)
      )
    }
  }

  /// Compares parts that do not have objects in a store.
  private mutating func compareParts<Part: ContentsPart>(
    _ kind: String,
    former: [Part],
    parts: [Part],
    name: (Part) -> String
  ) {
    let formerTexts = texts(former, name)
    let newTexts = texts(parts, name)
    for key in Set(formerTexts.keys).union(newTexts.keys).sorted() {
      switch (formerTexts[key], newTexts[key]) {
      case (nil, _): report("\(kind) \(key)", change: "added")
      case (_, nil): report("\(kind) \(key)", change: "removed")
      case (let before?, let after?) where before != after: report("\(kind) \(key)", change: "changed")
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
    former: Part,
    part: Part,
    except: Set<String> = [],
    only: Set<String>? = nil,
    obstacles: [String: String] = [:],
    conditions: [String: String] = [:],
    place: ModelDifference.Place? = nil
  ) {
    for field in Part.fields where only?.contains(field.name) ?? !except.contains(field.name) {
      let before = field.write(former)
      let after = field.write(part)
      if before == after { continue }
      let change = "\(field.name): \(Self.shown(before)) -> \(Self.shown(after))"
      report(
        subject,
        change: change,
        obstacle: obstacles[field.name],
        condition: conditions[field.name],
        place: place,
        values: .init(field: field.name, before: before, after: after)
      )
    }
  }

  /// A value in words, in which an empty text differs from a missing one.
  private static func shown(_ value: String?) -> String {
    guard let value else { return "none" }
    return value.isEmpty ? "\"\"" : value
  }
}
