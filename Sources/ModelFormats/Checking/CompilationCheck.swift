import Foundation
import Predicates

extension ModelDocument {
  /// Checks the additional conditions for compiling a model, which ``check(file:)`` does not require of a model that is
  /// read: derivations, the entities of inverse relationships, and unknown elements and attributes.
  ///
  /// Apple's framework reads models with such faults, which show when a store is made or never, so
  /// that a reader does not refuse them. An author who compiles the model can correct it.
  ///
  /// - Parameters:
  ///   - file: the name by which messages call the file.
  ///   - warn: receives parts that may be intended: unknown attributes, unknown elements that a
  ///     newer editor has written, and the result of ``warnings(file:)``.
  /// - Throws: `ModelFileError` for the first thing that is wrong, with its line and the remedy.
  package func checkForCompiling(
    file: String? = nil,
    warn: (ModelFileError) -> Void = { _ in }
  ) throws(ModelFileError) {
    let check = CompilationCheck(self, file: file)
    warnings(file: file).forEach(warn)
    try check.checkUnknownParts(warn)
    try check.checkInverseEntities()
    try check.checkIndexes()
    try check.checkDerivations()
  }
}

/// The checks of a document that is to be compiled; the document is sound as a whole.
struct CompilationCheck {
  private let document: ModelDocument
  private let file: String?
  private let hierarchy: ModelHierarchy
  private let composites: [String: ModelDocument.Composite]

  /// The newest editor whose files are known, Xcode 26's. A later one may write elements that have a meaning.
  private static let newestEditor = 24_902

  init(_ document: ModelDocument, file: String?) {
    self.document = document
    self.file = file
    hierarchy = ModelHierarchy(document)
    composites = Dictionary(document.composites.map { ($0.name, $0) }) { first, _ in first }
  }

  // MARK: - Unknown parts

  func checkUnknownParts(_ warn: (ModelFileError) -> Void) throws(ModelFileError) {
    for part in document.unknownContents {
      let isError = part.kind == .element && !isOfNewerEditor
      let remedy =
        isOfNewerEditor
        ? "a newer Xcode has written it, and it is left out: update Perennial"
        : "correct its name or remove it; if a newer Xcode has written it, update Perennial"
      let error = ModelFileError(
        .corrupt,
        file: file,
        line: part.line.number,
        element: part.path.isEmpty ? nil : part.path.joined(separator: ", "),
        problem: "the \(part.title) is unknown; \(remedy)"
      )
      if isError { throw error }
      warn(error)
    }
  }

  /// True if the file says that it was saved by a newer editor than those whose files are known.
  private var isOfNewerEditor: Bool {
    let build = document.lastSavedToolsVersion?.prefix { $0 != "." }
    return (build.flatMap { Int($0) } ?? 0) > Self.newestEditor
  }

  // MARK: - Inverse relationships

  /// The entity that is named next to the inverse has to be the destination, one of its
  /// superentities, or one of its subentities.
  func checkInverseEntities() throws(ModelFileError) {
    for entity in document.entities {
      for relationship in entity.relationships {
        guard relationship.inverseName != nil, let named = relationship.inverseEntity, !named.isEmpty,
          let destination = relationship.destinationEntity,
          !hierarchy.lineage(of: named).contains(destination),
          !hierarchy.lineage(of: destination).contains(named)
        else { continue }
        throw ModelFileError(
          .corrupt,
          file: file,
          line: relationship.line.number,
          element: "entity \(entity.name), relationship \(relationship.name)",
          attribute: "inverseEntity",
          problem:
            "the relationship leads to \(destination), and its inverse cannot be in \(named); write \(destination)"
        )
      }
    }
  }

  // MARK: - Indexes

  /// An index is over properties that the entity has or inherits, of a composite also over parts.
  func checkIndexes() throws(ModelFileError) {
    for entity in document.entities {
      let names = Set(hierarchy.properties(of: entity).map(\.name))
      func check(_ property: String, line: SourceLine, place: String, attribute: String)
        throws(ModelFileError)
      {
        let first = property.split(separator: ".").first.map(String.init) ?? property
        if names.contains(property) || names.contains(first) || Self.isOfRow(property) { return }
        throw ModelFileError(
          .corrupt,
          file: file,
          line: line.number,
          element: "entity \(entity.name), \(place)",
          attribute: attribute,
          problem: Self.unknownKey(property, owner: "the entity", names: Array(names))
        )
      }
      for index in entity.fetchIndexes {
        for element in index.elements where element.expression == nil {
          try check(
            element.property ?? "",
            line: element.line,
            place: "fetchIndex \(index.name)",
            attribute: "property"
          )
        }
      }
      for name in (entity.compoundIndexes ?? []).flatMap(\.properties) {
        try check(name.value, line: name.line, place: "compoundIndex", attribute: "value")
      }
    }
  }

  /// True for the names that every object has: `self` and `entity`.
  private static func isOfRow(_ name: String) -> Bool { ["self", "entity"].contains(name) }

  // MARK: - Derivations

  func checkDerivations() throws(ModelFileError) {
    for entity in document.entities {
      for attribute in entity.attributes where attribute.isDerived { try checkDerivation(of: attribute, in: entity) }
    }
  }

  private func checkDerivation(
    of attribute: ModelDocument.Attribute,
    in entity: ModelDocument.Entity
  ) throws(ModelFileError) {
    let text = attribute.derivationExpression ?? ""
    func failure(_ problem: String) -> ModelFileError {
      ModelFileError(
        .corrupt,
        file: file,
        line: attribute.line.number,
        element: "entity \(entity.name), attribute \(attribute.name)",
        attribute: "derivationExpression",
        problem: "\"\(text)\": \(problem)"
      )
    }
    let expression: Predicates.NSExpression
    do throws(PredicateFormatError) {
      expression = try Predicates.NSExpression(parsing: text)
    } catch {
      throw failure("\(error)")
    }
    for path in Self.keyPaths(in: expression) {
      if let problem = problem(ofKeyPath: path, from: entity) { throw failure(problem) }
    }
  }

  /// The key paths that begin at the object whose attribute is derived. The parser bounds how deep they nest.
  private static func keyPaths(in expression: Predicates.NSExpression) -> [String] {
    switch expression.node {
    case .keyPath(let path): [path]
    case .function(_, let operand, let arguments):
      // The argument of a message such as `valueForKeyPath:` is a path from what the message is sent to.
      operand.map(keyPaths) ?? arguments.flatMap(keyPaths)
    case .aggregate(let expressions): expressions.flatMap(keyPaths)
    case .set(_, let left, let right): keyPaths(in: left) + keyPaths(in: right)
    case .subquery(let collection, _, _): keyPaths(in: collection)
    case .conditional(_, let first, let second): keyPaths(in: first) + keyPaths(in: second)
    default: []
    }
  }

  /// The type that a key path has reached after some of its keys.
  private enum Place {
    case entity(ModelDocument.Entity)
    case composite(ModelDocument.Composite)
    /// A value whose structure the model does not describe.
    case value(title: String, isOpaque: Bool)
  }

  /// The error in a key path with its remedy, or `nil` for a valid one.
  private func problem(ofKeyPath path: String, from entity: ModelDocument.Entity) -> String? {
    do throws(PredicateEvaluationError) {
      _ = try KeyPathReader(path)
    } catch {
      return "\(error)"
    }
    var place = Place.entity(entity)
    for key in path.split(separator: ".").map(String.init) where !key.hasPrefix("@") && key != "self" {
      switch place {
      case .entity(let entity):
        let properties = hierarchy.properties(of: entity)
        guard let property = properties.first(where: { $0.name == key }) else {
          return Self.unknownKey(key, owner: "entity \(entity.name)", names: properties.map(\.name))
        }
        place = self.place(for: property, of: entity)
      case .composite(let composite):
        guard let element = composite.attributes.first(where: { $0.name == key }) else {
          return Self.unknownKey(key, owner: "composite \(composite.name)", names: composite.attributes.map(\.name))
        }
        place = self.place(for: element, title: "composite \(composite.name)")
      case .value(_, isOpaque: true): return nil
      case .value(let title, isOpaque: false):
        return "\(title) is a value and has no key \(key); end the key path before it"
      }
    }
    return nil
  }

  private func place(for property: ModelHierarchy.Property, of entity: ModelDocument.Entity) -> Place {
    switch property.kind {
    case .attribute(let attribute): return place(for: attribute, title: "entity \(entity.name)")
    case .relationship(let relationship):
      if let destination = relationship.destinationEntity.flatMap({ hierarchy.entities[$0] }) {
        return .entity(destination)
      }
    case .fetched(let fetched):
      if let found = fetched.fetchRequest?.entity.flatMap({ hierarchy.entities[$0] }) {
        return .entity(found)
      }
    }
    return .value(title: property.title, isOpaque: true)
  }

  private func place(for attribute: ModelDocument.Attribute, title: String) -> Place {
    if attribute.type == .composite, let composite = attribute.composite.flatMap({ composites[$0] }) {
      return .composite(composite)
    }
    let isOpaque = [nil, .undefined, .transformable].contains(attribute.type)
    return .value(title: "attribute \(attribute.name) of \(title)", isOpaque: isOpaque)
  }

  private static func unknownKey(_ key: String, owner: String, names: [String]) -> String {
    let known = names.sorted(by: BinaryOrder.isLess)
    let list = known.prefix(largestList).joined(separator: ", ") + (known.count > largestList ? ", …" : "")
    return "\(owner) has no property \(key); "
      + (known.isEmpty ? "add it" : "correct the name, or add it; there are: \(list)")
  }

  private static let largestList = 20
}
