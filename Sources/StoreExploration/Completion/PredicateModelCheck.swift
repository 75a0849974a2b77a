import CoreData
import Foundation
import Predicates

/// Looks for what a predicate that parses gets wrong about the model: keys that are not there, and
/// comparisons that can never be true.
struct PredicateModelCheck {
  /// The first problem in the text.
  let problem: PredicateProblem?

  init(_ text: String, entity: NSEntityDescription) {
    var scanner = PredicateScanner(entity: entity)
    var lexer = FormatLexer(text)
    while let token = try? lexer.next(), token.kind != .end { scanner.read(token) }
    scanner.finish()
    let faults =
      scanner.paths.compactMap(Self.fault) + scanner.unknownVariables.map(Self.fault)
      + scanner.comparisons.compactMap { ComparisonCheck($0).fault }
    let first = faults.min { $0.range.lowerBound < $1.range.lowerBound }
    problem = first.map { fault in
      PredicateProblem(
        range: TextPositions(text).utf16(fault.range),
        message: fault.problem,
        remedy: fault.remedy,
        isOfSyntax: false
      )
    }
  }

  /// A problem at a place in bytes of UTF-8.
  struct Fault {
    let range: Range<Int>
    let problem: String
    let remedy: String
  }

  private static func fault(_ path: ScannedPath) -> Fault? {
    path.resolved.fault.map {
      Fault(range: path.keys[$0.index].range, problem: $0.problem, remedy: $0.remedy)
    }
  }

  private static func fault(_ variable: ScannedPath.Key) -> Fault {
    Fault(
      range: variable.range,
      problem: "$\(variable.name) stands for nothing",
      remedy: "write a value, or use it inside of the SUBQUERY that names it"
    )
  }
}

/// Looks whether the sides of a comparison fit to each other.
struct ComparisonCheck {
  private let comparison: ScannedComparison

  init(_ comparison: ScannedComparison) {
    self.comparison = comparison
  }

  var fault: PredicateModelCheck.Fault? {
    if case .path(let path) = comparison.left.kind {
      return fault(path, comparison.left, against: comparison.right)
    }
    // The sides of an equality and of an order can be the other way round.
    if case .path(let path) = comparison.right.kind,
      comparison.operation == .equal || comparison.operation == .notEqual || comparison.operation == .order
    {
      return fault(path, comparison.right, against: comparison.left)
    }
    return nil
  }

  private func fault(
    _ path: ScannedPath,
    _ operand: ScannedOperand,
    against other: ScannedOperand
  ) -> PredicateModelCheck.Fault? {
    switch path.end {
    case .objects, .attribute(_, isMany: true):
      if !comparison.isQuantified, [.equal, .notEqual, .order].contains(comparison.operation) {
        return .init(
          range: operand.range,
          problem: "\(path.text) leads to many objects, of which none is meant in particular",
          remedy: "write ANY, ALL or NONE in front of it, or compare its @count"
        )
      }
      // Many values contain one of any type.
      guard case .attribute(let attribute, _) = path.end, comparison.operation != .contains else {
        return nil
      }
      return fault(attribute, path, against: other)
    case .attribute(let attribute, isMany: false): return fault(attribute, path, against: other)
    case .object(let entity): return fault(entity, path, against: other)
    case .composite(let composite, _):
      return .init(
        range: operand.range,
        problem: "\(path.text) is a composite value, which can only be compared by its elements",
        remedy: "name one of them: \(composite.elements.map(\.name).sorted().joined(separator: ", "))"
      )
    case .number, .unknown: return nil
    }
  }

  private func fault(
    _ entity: NSEntityDescription,
    _ path: ScannedPath,
    against other: ScannedOperand
  ) -> PredicateModelCheck.Fault? {
    switch other.kind {
    case .text, .number, .boolean:
      return .init(
        range: other.range,
        problem:
          "\(path.keys.isEmpty ? "the object" : path.text) is an object (\(entity.name ?? "")), and this is none",
        remedy: "compare one of its attributes, such as \(Self.example(entity, path))"
      )
    case .path, .null, .list, .other: return nil
    }
  }

  private static func example(_ entity: NSEntityDescription, _ path: ScannedPath) -> String {
    let texts = entity.attributesByName.values.filter { $0.attributeType == .stringAttributeType }
    let names = (texts.isEmpty ? Array(entity.attributesByName.values) : texts).map(\.name).sorted()
    return (path.keys.map(\.name) + [names.first ?? "its key"]).joined(separator: ".")
  }

  private func fault(
    _ attribute: NSAttributeDescription,
    _ path: ScannedPath,
    against other: ScannedOperand
  ) -> PredicateModelCheck.Fault? {
    if case .list(let elements) = other.kind {
      return elements.lazy.compactMap { fault(attribute, path, against: $0) }.first
    }
    if isTextOperation, attribute.attributeType != .stringAttributeType {
      return .init(
        range: comparison.range,
        problem: "\(path.text) is no text but a \(TypeWords.name(of: attribute))",
        remedy: "use a comparison such as == or >="
      )
    }
    if case .text(let pattern) = other.kind, comparison.operation == .text(.matches),
      !pattern.isEmpty, (try? NSRegularExpression(pattern: pattern)) == nil
    {
      return .init(
        range: other.range,
        problem: "this is not a regular expression",
        remedy: "correct it, or use CONTAINS or LIKE"
      )
    }
    guard let remedy = Self.remedy(attribute, against: other) else { return nil }
    return .init(
      range: other.range,
      problem: "\(path.text) is a \(TypeWords.name(of: attribute)), which never equals this value",
      remedy: remedy
    )
  }

  private var isTextOperation: Bool {
    switch comparison.operation {
    case .contains, .text: true
    default: false
    }
  }

  /// - Returns: `nil` where a value can be equal to one of the attribute, or be compared with it.
  private static func remedy(_ attribute: NSAttributeDescription, against other: ScannedOperand) -> String? {
    switch (attribute.attributeType, other.kind) {
    case (.stringAttributeType, .number), (.stringAttributeType, .boolean): return "put the text in quotes"
    case (.integer16AttributeType, .text), (.integer32AttributeType, .text), (.integer64AttributeType, .text),
      (.doubleAttributeType, .text), (.floatAttributeType, .text), (.decimalAttributeType, .text):
      return "write a number without quotes"
    case (.booleanAttributeType, .text): return "write YES or NO without quotes"
    case (.dateAttributeType, .text(let text)) where DateTexts.date(text) != nil: return nil
    case (.dateAttributeType, .text), (.dateAttributeType, .number), (.dateAttributeType, .boolean):
      return "write a date as \"2024-01-31\" or \"2024-01-31T12:00:00Z\", or now()"
    case (.UUIDAttributeType, .text), (.UUIDAttributeType, .number), (.UUIDAttributeType, .boolean):
      return "write CAST(\"00000000-0000-0000-0000-000000000000\", \"NSUUID\") with the UUID"
    case (.URIAttributeType, .text), (.URIAttributeType, .number), (.URIAttributeType, .boolean):
      return "write CAST(\"https://…\", \"NSURL\") with the URL"
    default: return nil
    }
  }
}
