import Foundation
import Texts

#if YAML
  import Yams

  /// Reads a seed in YAML, which has the same structure as a seed in JSON.
  ///
  ///     tags:
  ///       - name: News
  ///     notes:
  ///       - title: Hello tags: [News]
  ///
  /// Plain words are read by the core schema of YAML 1.2: `no` is a word and `0755` the number 755. Aliases are
  /// replaced with the nodes that they name, and the key `<<` merges the keys of other mappings. Several documents form
  /// one seed. A list at the top level, instead of a mapping, has records of the entity that the file is named after.
  enum YAMLSeed {
    static func reader(_ data: Data, file: String, word: String, limits: SeedLimits) throws -> SeedTree {
      let position = SeedPosition(file: file)
      try YAMLShape(data).check(position, limits: limits)
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      guard
        let text = String(validating: data.dropFirst(data.starts(with: mark) ? mark.count : 0), as: UTF8.self)
      else {
        throw SeedError(
          code: .brokenText,
          at: position,
          problem: "the YAML is not valid UTF-8",
          remedy: "save the file in UTF-8"
        )
      }
      var values = YAMLValues(file: file, limits: limits, size: data.count)
      var counts: [String: Int] = [:]
      var records: [SeedRecord] = []
      for root in try roots(of: text, file: file) {
        records += try Self.records(in: root, word: word, values: &values, counts: &counts)
      }
      return SeedTree(records)
    }

    /// The documents that have something in them.
    private static func roots(of text: String, file: String) throws -> [Node] {
      var roots: [Node] = []
      do {
        let parser = try Parser(yaml: text)
        while let root = try parser.nextRoot() {
          if case .scalar(let scalar) = root, scalar.string.isEmpty, scalar.style == .plain { continue }
          roots.append(root)
        }
      } catch {
        throw YAMLProblem.described(error, file: file)
      }
      guard roots.isEmpty else { return roots }
      throw SeedError(
        code: .brokenText,
        at: SeedPosition(file: file),
        problem: "the text is empty",
        remedy: "write a list of records for each entity"
      )
    }

    private static func records(
      in root: Node,
      word: String,
      values: inout YAMLValues,
      counts: inout [String: Int]
    ) throws -> [SeedRecord] {
      if case .sequence(let nodes) = root {
        return try records(nodes, of: word, at: values.position(of: root), values: &values, counts: &counts)
      }
      guard case .mapping(let entities) = root else {
        throw SeedError.wrongShape(
          at: values.position(of: root),
          problem: "the seed is neither a mapping whose keys are entities nor a list of records",
          remedy: shape
        )
      }
      var records: [SeedRecord] = []
      for (key, list) in entities {
        var position = values.position(of: key)
        guard case .scalar(let word) = key else {
          throw SeedError.wrongShape(at: position, problem: "a key is not text", remedy: shape)
        }
        if word.string.hasPrefix(SeedHeader.word) {
          records.append(SeedRecord(header: word.string, value: try values.value(of: list), at: position))
          continue
        }
        guard case .sequence(let nodes) = list else {
          position.entity = word.string
          let problem = "the value of \"\(word.string.abbreviated)\" is not a list of records"
          throw SeedError.wrongShape(at: position, problem: problem, remedy: shape)
        }
        records += try Self.records(nodes, of: word.string, at: position, values: &values, counts: &counts)
      }
      return records
    }

    /// The records of a list that stands at a position.
    private static func records(
      _ nodes: Node.Sequence,
      of word: String,
      at position: SeedPosition,
      values: inout YAMLValues,
      counts: inout [String: Int]
    ) throws -> [SeedRecord] {
      var position = position
      position.entity = word
      if nodes.isEmpty { return [SeedRecord(emptyListOf: word, at: position)] }
      var records: [SeedRecord] = []
      for node in nodes {
        counts[word, default: 0] += 1
        position = values.position(of: node)
        position.entity = word
        position.record = counts[word]
        guard case .object(let fields) = try values.value(of: node) else {
          throw SeedError.wrongShape(at: position, problem: "the record is not a mapping", remedy: shape)
        }
        records.append(SeedRecord(entity: word, position: position, fields: fields))
      }
      return records
    }

    private static let shape = "write a list of mappings for each entity"
  }
#else
  /// Refuses seeds in YAML, in programs that are built without the library for it.
  enum YAMLSeed {
    static func reader(_ data: Data, file: String, word: String, limits: SeedLimits) throws -> SeedTree {
      throw SeedError(
        .unknownFormat,
        at: SeedPosition(file: file),
        "the program was built without the library for YAML",
        remedy: "add the trait YAML to the dependency on the package, or write the seed in JSON"
      )
    }
  }
#endif
