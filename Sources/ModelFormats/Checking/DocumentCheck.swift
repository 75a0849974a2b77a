extension ModelDocument {
  /// Checks that the document is valid as a whole, so that a model can be built from it: names are
  /// unique, the things that they refer to exist, and values have the right types.
  ///
  /// - Parameter file: the name by which the error calls the file.
  /// - Throws: `ModelFileError` for the first error, with its line and the remedy.
  public func check(file: String? = nil) throws(ModelFileError) {
    var check = DocumentCheck(document: self, file: file)
    try check.run()
  }
}

/// The checks of a whole model document, one step each.
struct DocumentCheck {
  let document: ModelDocument
  let file: String?
  var entities: [String: ModelDocument.Entity] = [:]
  var composites: [String: ModelDocument.Composite] = [:]
  var compositeSizes: [String: Int] = [:]
  /// The relationship that names another one as its inverse, by the name of the other one.
  var inverseClaims: [String: String] = [:]

  // More than any model needs, and less than the stack or the memory allows.
  static let deepestInheritance = 500
  static let deepestComposite = 64
  static let largestComposite = 10_000

  mutating func run() throws(ModelFileError) {
    try collectNames()
    for entity in document.entities { try checkAncestors(of: entity) }
    for composite in document.composites { try checkComposite(composite) }
    for entity in document.entities { try check(entity) }
    try checkConfigurations()
    for request in document.fetchRequests { try check(request, in: "fetchRequest \(request.name)") }
  }

  func error(
    _ line: SourceLine,
    element: String,
    attribute: String? = nil,
    problem: String
  ) -> ModelFileError {
    ModelFileError(
      .corrupt,
      file: file,
      line: line.number,
      element: element,
      attribute: attribute,
      problem: problem
    )
  }

  private mutating func collectNames() throws(ModelFileError) {
    func taken(_ kind: String, name: String, line: SourceLine) -> ModelFileError {
      let problem = "there is another \(kind) of this name; give each a name of its own"
      return error(line, element: "\(kind) \(name)", attribute: "name", problem: problem)
    }
    for entity in document.entities where entities.updateValue(entity, forKey: entity.name) != nil {
      throw taken("entity", name: entity.name, line: entity.line)
    }
    for composite in document.composites
    where composites.updateValue(composite, forKey: composite.name) != nil {
      throw taken("composite", name: composite.name, line: composite.line)
    }
  }

  private func checkAncestors(of entity: ModelDocument.Entity) throws(ModelFileError) {
    func failure(_ entity: ModelDocument.Entity, problem: String) -> ModelFileError {
      error(entity.line, element: "entity \(entity.name)", attribute: "parentEntity", problem: problem)
    }
    var seen: Set<String> = [entity.name]
    var current = entity
    while let parentName = current.parentEntity {
      guard let parent = entities[parentName] else { throw failure(current, problem: noEntity(parentName)) }
      if !seen.insert(parentName).inserted {
        throw failure(entity, problem: "the entity inherits from itself by way of \(current.name)")
      }
      if seen.count > Self.deepestInheritance {
        throw failure(
          entity,
          problem:
            "the entity inherits over more than \(Self.deepestInheritance) steps; make the hierarchy flatter"
        )
      }
      current = parent
    }
  }

  private mutating func checkComposite(_ composite: ModelDocument.Composite) throws(ModelFileError) {
    let place = "composite \(composite.name)"
    var names: Set<String> = []
    for attribute in composite.attributes {
      if !names.insert(attribute.name).inserted {
        throw error(
          attribute.line,
          element: "\(place), attribute \(attribute.name)",
          attribute: "name",
          problem: "the composite has another attribute of this name"
        )
      }
      try check(attribute, in: place)
    }
    _ = try size(of: composite, depth: 1)
  }

  /// The number of attributes of a composite, including those of the composites within it.
  ///
  /// - Throws: `ModelFileError` when it contains itself, or is too deep or too large to be a model that anyone made.
  private mutating func size(of composite: ModelDocument.Composite, depth: Int) throws(ModelFileError) -> Int {
    if let size = compositeSizes[composite.name] { return size }
    func failure(_ problem: String) -> ModelFileError {
      error(composite.line, element: "composite \(composite.name)", problem: problem)
    }
    if depth > Self.deepestComposite {
      throw failure("the composite contains itself, or others to a depth of more than \(Self.deepestComposite)")
    }
    var size = composite.attributes.count
    for attribute in composite.attributes where attribute.type == .composite {
      guard let inner = attribute.composite.flatMap({ composites[$0] }) else { continue }
      size += try self.size(of: inner, depth: depth + 1)
    }
    if size > Self.largestComposite {
      throw failure("the composite has more than \(Self.largestComposite) attributes with those it contains")
    }
    compositeSizes[composite.name] = size
    return size
  }
}
