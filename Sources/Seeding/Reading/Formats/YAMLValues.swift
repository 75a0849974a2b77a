import Texts

#if YAML
  import Yams

  /// Turns nodes of YAML into values.
  struct YAMLValues {
    private let file: String
    private let limits: SeedLimits
    /// The number of values and bytes that may still be created, because a small text with aliases
    /// can expand to very many.
    private var remaining: Int
    private var remainingValues: Int

    /// - Parameter size: The bytes of the text.
    init(file: String, limits: SeedLimits, size: Int) {
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
      guard remainingValues >= 0 else { throw SeedError.manyValues(in: position(of: node), limits: limits) }
      guard remaining > 0 else {
        throw SeedError(
          code: .brokenText,
          at: position(of: node),
          problem: "aliases make the seed very much larger than its text",
          remedy: "write the values out"
        )
      }
      switch node {
      case .scalar(let scalar): return Self.value(of: scalar)
      case .sequence(let nodes):
        var values: [SeedValue] = []
        for node in nodes { values.append(try value(of: node)) }
        return .array(values)
      case .mapping(let mapping): return .object(try fields(of: mapping))
      case .alias:
        throw SeedError(
          code: .brokenText,
          at: position(of: node),
          problem: "an alias names nothing",
          remedy: "give its anchor before it"
        )
      }
    }

    /// The keys of a mapping, followed by the keys of the mappings that it merges. The mapping's
    /// own keys take precedence.
    private mutating func fields(of mapping: Node.Mapping) throws -> [SeedField] {
      var fields: [SeedField] = []
      var merged: [SeedField] = []
      for (key, node) in mapping {
        guard case .scalar(let word) = key else {
          throw SeedError.wrongShape(
            at: position(of: key),
            problem: "a key of a record is not a word",
            remedy: "name a property of the entity"
          )
        }
        if word.string == Self.mergeKey, word.style == .plain || word.style == .any {
          merged += try self.merged(node)
        } else {
          fields.append(SeedField(key: word.string, value: try value(of: node)))
        }
      }
      guard !merged.isEmpty else { return fields }
      var known = Set(fields.map(\.key))
      return fields + merged.filter { known.insert($0.key).inserted }
    }

    /// The keys of the mapping under `<<`, or of all mappings in its list, of which earlier ones take precedence.
    private mutating func merged(_ node: Node) throws -> [SeedField] {
      let values: [SeedValue] =
        switch try value(of: node) {
        case .array(let values): values
        case let value: [value]
        }
      return try values.flatMap { value in
        guard case .object(let fields) = value else {
          throw SeedError.wrongShape(
            at: position(of: node),
            problem: "\(value.kind) cannot be merged by \(Self.mergeKey)",
            remedy: "give an alias of a mapping, or a list of them"
          )
        }
        return fields
      }
    }

    /// The key of YAML 1.1's merge type, which most readers of YAML 1.2 know as well.
    private static let mergeKey = "<<"

    /// The value of a scalar. A scalar that is quoted or tagged as a string is one; other words are
    /// read by the core schema.
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

  /// Descriptions of the errors that Yams reports.
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
      return SeedError(
        code: .brokenText,
        at: position,
        problem: "the YAML is broken: \(problem)",
        remedy: "correct the file"
      )
    }
  }
#endif
