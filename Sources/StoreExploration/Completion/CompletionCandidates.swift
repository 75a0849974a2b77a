import CoreData
import Predicates

/// The candidates for completion at the cursor of a predicate, before they are compared with the typed text.
struct CompletionCandidates {
  struct Candidate {
    let text: String
    let kind: PredicateCompletion.Kind
    let detail: String
    /// The text to compare with the typed text, if it differs from the candidate's text.
    var matched: String?
  }

  private(set) var all: [Candidate] = []

  mutating func add(
    _ text: String,
    kind: PredicateCompletion.Kind,
    detail: String,
    matching matched: String? = nil
  ) {
    all.append(Candidate(text: text, kind: kind, detail: detail, matched: matched))
  }

  /// - Parameter values: the stored values of the compared attribute.
  init(_ scanner: PredicateScanner, in entity: NSEntityDescription, values: [String]) {
    let frame = scanner.frame
    switch frame.expectation {
    case .key: addKeys(of: frame.operand?.path?.end, isFirst: false)
    case .variableName:
      add("$\(Self.variable(for: frame.collection))", kind: .variable, detail: "a name for each of the objects")
    case .comma: add(", ", kind: .word, detail: "the condition follows")
    case .options: addOptions()
    case .operation: addOperations(scanner)
    case .operand: addOperands(scanner, in: entity, values: values)
    }
  }

  private static func variable(for collection: ModelKeyPath.End?) -> String {
    guard case .objects(let entity) = collection, let name = entity.name, let first = name.first else { return "x" }
    return first.lowercased() + name.dropFirst()
  }

  // MARK: - Keys

  /// - Parameter isFirst: true at the beginning of a key path, where reserved words are escaped.
  private mutating func addKeys(of end: ModelKeyPath.End?, isFirst: Bool) {
    func spelled(_ name: String) -> String {
      isFirst && FormatKeyword.named(name)?.isContextual == false ? "#\(name)" : name
    }
    switch end {
    case .object(let entity), .objects(let entity):
      for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key }) {
        add(spelled(name), kind: .attribute, detail: PropertyDetail.words(attribute), matching: name)
      }
      for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
        add(spelled(name), kind: .relationship, detail: PropertyDetail.words(relationship), matching: name)
      }
    case .composite(let composite, _):
      for element in composite.elements.sorted(by: { $0.name < $1.name }) {
        add(element.name, kind: .attribute, detail: PropertyDetail.words(element))
      }
    case .attribute, .number, .unknown, nil: break
    }
    guard !isFirst, let end, end.isMany else { return }
    if case .objects = end { add("@count", kind: .collection, detail: "how many there are") }
    let operations = [
      ("@min", "the least value"), ("@max", "the greatest value"), ("@sum", "the sum of a number"),
      ("@avg", "the mean of a number"),
    ]
    for (name, detail) in operations { add(name, kind: .collection, detail: detail) }
  }

  // MARK: - Operators

  private mutating func addOptions() {
    add("c", kind: .option, detail: "capitals do not matter")
    add("d", kind: .option, detail: "accents do not matter")
    add("cd", kind: .option, detail: "neither capitals nor accents matter")
    add("n", kind: .option, detail: "compared as they are, which is fast")
  }

  private mutating func addOperations(_ scanner: PredicateScanner) {
    let frame = scanner.frame
    if frame.kind == .list {
      add(", ", kind: .word, detail: "another value")
      add("}", kind: .word, detail: "the end of the list")
      return
    }
    if frame.operation == nil, let operand = frame.operand, frame.kind != .subscripting {
      for (text, detail) in OperatorWords.fitting(operand, isQuantified: frame.quantifier != nil) {
        add(text, kind: .operation, detail: detail)
      }
      if case .objects = operand.path?.end, frame.quantifier == nil {
        add(".@count", kind: .collection, detail: "how many there are")
      }
    }
    if frame.operation != nil {
      add("AND", kind: .operation, detail: "both are true")
      add("OR", kind: .operation, detail: "one of them is true, or both")
    }
    if case .function = frame.kind { add(", ", kind: .word, detail: "another argument") }
    if frame.kind == .subquery, frame.argument < 2 { add(", ", kind: .word, detail: "the next part") }
    switch frame.kind {
    case .group, .function, .subquery:
      add(")", kind: .word, detail: "the end of what the parenthesis encloses")
    case .subscripting: add("]", kind: .word, detail: "the end of the index")
    case .whole, .list, .options: break
    }
  }

  // MARK: - Values

  private mutating func addOperands(_ scanner: PredicateScanner, in entity: NSEntityDescription, values: [String]) {
    let frame = scanner.frame
    if frame.kind == .subscripting {
      for word in ["FIRST", "LAST", "SIZE"] {
        add(word, kind: .word, detail: "of an ordered relationship, or its size")
      }
      return
    }
    if let comparison = scanner.openComparison {
      addValues(for: comparison.left, operation: comparison.operation, in: frame, values: values)
    }
    addKeys(of: .object(entity), isFirst: true)
    for name in scanner.variables.keys.sorted() { add("$\(name)", kind: .variable, detail: "one of the objects") }
    if frame.quantifier == nil, frame.operation == nil, frame.kind != .list { addBeginnings(entity) }
    for (text, detail) in FunctionWords.all { add(text, kind: .function, detail: detail) }
    if frame.operation == nil, frame.kind == .whole || frame.kind == .group {
      add("NOT", kind: .word, detail: "the opposite")
      add("TRUEPREDICATE", kind: .constant, detail: "true of every object")
      add("FALSEPREDICATE", kind: .constant, detail: "true of none")
    }
    add("SELF", kind: .word, detail: "the object itself")
  }

  private mutating func addBeginnings(_ entity: NSEntityDescription) {
    for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where relationship.isToMany {
      add("ANY \(name).", kind: .word, detail: "at least one of \(name)", matching: "ANY \(name)")
      add("ALL \(name).", kind: .word, detail: "each of \(name)", matching: "ALL \(name)")
      add("NONE \(name).", kind: .word, detail: "none of \(name)", matching: "NONE \(name)")
      let destination = relationship.destinationEntity.map { ModelKeyPath.End.objects($0) }
      let variable = Self.variable(for: destination)
      add(
        "SUBQUERY(\(name), $\(variable), $\(variable).",
        kind: .function,
        detail: "those of \(name) that fulfil a condition",
        matching: "SUBQUERY(\(name)"
      )
    }
  }

  private mutating func addValues(
    for left: ScannedOperand,
    operation: ScannedComparison.Operator,
    in frame: PredicateScanner.Frame,
    values: [String]
  ) {
    let isInList = frame.kind == .list
    if !isInList, operation == .in || operation == .between {
      add("{", kind: .word, detail: operation == .in ? "a list of values" : "the lower and the upper limit")
      if operation == .between { return }
    }
    for value in values { add(value, kind: .value, detail: "in the store") }
    guard case .path(let path) = left.kind else { return }
    switch path.end {
    case .attribute(let attribute, _):
      for (text, detail) in TypeWords.constants(of: attribute) { add(text, kind: .value, detail: detail) }
      if attribute.isOptional, !isInList { add("NULL", kind: .constant, detail: "no value") }
    case .object: add("NULL", kind: .constant, detail: "no object")
    case .objects, .composite, .number, .unknown: break
    }
  }
}
