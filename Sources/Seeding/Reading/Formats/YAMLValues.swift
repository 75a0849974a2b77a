import Yams

/// Turns nodes of YAML into values.
struct YAMLValues {
  private let file: String
  private let limits: SeedLimits
  /// Values and bytes that may still be made: aliases let a small text stand for very many.
  private var remaining: Int
  private var remainingValues: Int

  /// - Parameter size: The bytes of the text.
  init(file: String, _ limits: SeedLimits, size: Int) {
    self.file = file
    self.limits = limits
    remaining = 1000 + 10 * size
    remainingValues = limits.mostValuesOfDocument
  }

  func position(of node: Node) -> SeedPosition {
    var position = SeedPosition(file: file)
    position.line = node.mark?.line
    return position
  }

  mutating func value(of node: Node) throws -> SeedValue {
    remaining -= 1
    if case .scalar(let scalar) = node { remaining -= scalar.string.utf8.count }
    remainingValues -= 1
    guard remainingValues >= 0 else { throw SeedError.manyValues(in: position(of: node), limits) }
    guard remaining > 0 else {
      throw SeedError(
        .brokenText,
        at: position(of: node),
        "aliases make the seed very much larger than its text",
        remedy: "write the values out"
      )
    }
    switch node {
    case .scalar(let scalar): return Self.value(of: scalar)
    case .sequence(let nodes):
      var values: [SeedValue] = []
      for node in nodes { values.append(try value(of: node)) }
      return .array(values)
    case .mapping(let mapping):
      var fields: [SeedField] = []
      for (key, node) in mapping {
        guard case .scalar(let word) = key else {
          throw SeedError.wrongShape(
            at: position(of: key),
            "a key of a record is no word",
            remedy: "name a property of the entity"
          )
        }
        fields.append(SeedField(key: word.string, value: try value(of: node)))
      }
      return .object(fields)
    case .alias:
      throw SeedError(
        .brokenText,
        at: position(of: node),
        "an alias names nothing",
        remedy: "give its anchor before it"
      )
    }
  }

  /// What is quoted or tagged as a string is one; other words by the core schema.
  private static func value(of scalar: Node.Scalar) -> SeedValue {
    let isPlain = scalar.style == .plain || scalar.style == .any
    let text = scalar.string
    guard isPlain, scalar.tag.description != "tag:yaml.org,2002:str" else { return .string(text) }
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return SeedValue(number: text) ?? .string(text)
    }
  }
}

/// Words for what Yams finds wrong.
enum YAMLProblem {
  static func described(_ error: any Error, file: String) -> SeedError {
    var position = SeedPosition(file: file)
    let problem: String
    switch error as? YamlError {
    case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _),
      .composer(_, let text, let mark, _):
      position.line = mark.line
      position.column = mark.column
      problem = text
    case .duplicatedKeysInMapping(let keys, let context):
      position.line = context.mark.line
      problem = "the key \"\(keys.first?.abbreviated ?? "")\" stands twice"
    case .reader(let text, _, _, _): problem = text
    default: problem = ErrorWords.describe(error)
    }
    return SeedError(.brokenText, at: position, "the YAML is broken: \(problem)", remedy: "correct the file")
  }
}
