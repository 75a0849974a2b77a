import CoreData
import Foundation
import ModelFormats
import Predicates
import Seeding

/// Checks a parsed predicate against the model: keys that do not exist, and comparisons that are never true.
struct PredicateModelCheck {
  /// A text that is a date, and its position in bytes of UTF-8.
  struct ReadDate {
    let date: Date
    let range: Range<Int>
  }

  /// The first problem in the text.
  let problem: PredicateProblem?
  /// The dates among the texts that are compared with date attributes.
  let dates: [ReadDate]

  /// - Parameter zone: the user's time zone.
  init(_ text: String, entity: NSEntityDescription, zone: TimeZone) {
    var scanner = PredicateScanner(entity: entity)
    var lexer = FormatLexer(text)
    while let token = try? lexer.next(), token.kind != .end { scanner.read(token) }
    scanner.finish()
    dates = scanner.comparisons.flatMap { comparison in
      DateComparison(comparison).texts.compactMap { text in
        guard case .date(let date) = TypedDate(text.value, in: zone) else { return nil }
        return ReadDate(date: date, range: text.range)
      }
    }
    let words = Set(scanner.comparisons.flatMap(Self.unquotedWords))
    let faults =
      scanner.paths.compactMap { Self.fault($0, isWord: words.contains($0.keys[0].range.lowerBound)) }
      + scanner.unknownVariables.map(Self.fault)
      + scanner.comparisons.compactMap { ComparisonCheck(comparison: $0, text: text, zone: zone).fault }
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

  /// A problem, and its position in bytes of UTF-8.
  struct Fault {
    let range: Range<Int>
    let problem: String
    let remedy: String
  }

  /// - Parameter isWord: true if the path is a single word that is compared with a text attribute. It may be a
  ///   text without its quotes.
  private static func fault(_ path: ScannedPath, isWord: Bool) -> Fault? {
    path.resolved.fault.map { fault in
      let key = path.keys[fault.index]
      let quotes = isWord ? "put the text in quotes: \(PredicateText.text(key.name))" : nil
      let isNear = fault.remedy.hasPrefix("correct")
      let remedies = isWord && !isNear ? [quotes] : [fault.remedy, quotes]
      return Fault(
        range: key.range,
        problem: fault.problem,
        remedy: remedies.compactMap(\.self).joined(separator: ", or ")
      )
    }
  }

  /// The positions of single words on the right side of a comparison with a text attribute.
  private static func unquotedWords(_ comparison: ScannedComparison) -> [Int] {
    guard case .attribute(let attribute, _)? = comparison.left.path?.end,
      attribute.attributeType == .stringAttributeType
    else { return [] }
    let operands =
      if case .list(let elements) = comparison.right.kind { elements } else { [comparison.right] }
    return operands.compactMap { $0.path?.keys.count == 1 ? $0.path?.keys.first?.range.lowerBound : nil }
  }

  private static func fault(_ variable: ScannedPath.Key) -> Fault {
    Fault(
      range: variable.range,
      problem: "$\(variable.name) stands for nothing",
      remedy: "write a value, or use it inside of the SUBQUERY that names it"
    )
  }
}

/// Checks whether the two sides of a comparison fit together.
struct ComparisonCheck {
  let comparison: ScannedComparison
  /// The text of the whole predicate.
  let text: String
  /// The user's time zone.
  let zone: TimeZone

  var fault: PredicateModelCheck.Fault? { faultOfSides ?? faultOfDates }

  private var faultOfSides: PredicateModelCheck.Fault? {
    if case .path(let path) = comparison.left.kind {
      return fault(path, operand: comparison.left, against: comparison.right)
    }
    // The sides of these comparisons can be swapped.
    if case .path(let path) = comparison.right.kind,
      comparison.operation == .equal || comparison.operation == .notEqual || comparison.operation == .order
    {
      return fault(path, operand: comparison.right, against: comparison.left)
    }
    return nil
  }

  private func fault(
    _ path: ScannedPath,
    operand: ScannedOperand,
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
      // CONTAINS looks for one of the values, of any type.
      guard case .attribute(let attribute, _) = path.end, comparison.operation != .contains else { return nil }
      return fault(attribute, path: path, against: other)
    case .attribute(let attribute, isMany: false): return fault(attribute, path: path, against: other)
    case .object(let entity): return fault(entity, path: path, against: other)
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
    path: ScannedPath,
    against other: ScannedOperand
  ) -> PredicateModelCheck.Fault? {
    switch other.kind {
    case .text, .number, .boolean:
      return .init(
        range: other.range,
        problem:
          "\(path.keys.isEmpty ? "the object" : path.text) is an object (\(entity.name ?? "")), and this is none",
        remedy: "compare one of its attributes, such as \(Self.example(entity, path: path))"
      )
    case .path, .null, .list, .other: return nil
    }
  }

  private static func example(_ entity: NSEntityDescription, path: ScannedPath) -> String {
    let names = ObjectNames.rule(for: entity).keyPaths + entity.attributesByName.keys.sorted()
    return (path.keys.map(\.name) + [names.first ?? "its key"]).joined(separator: ".")
  }

  private func fault(
    _ attribute: NSAttributeDescription,
    path: ScannedPath,
    against other: ScannedOperand
  ) -> PredicateModelCheck.Fault? {
    if case .list(let elements) = other.kind {
      return elements.lazy.compactMap { fault(attribute, path: path, against: $0) }.first
    }
    if isTextOperation, attribute.attributeType != .stringAttributeType {
      return .init(
        range: comparison.range,
        problem: "\(path.text) is not text but a \(TypeWords.name(of: attribute))",
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
    if attribute.attributeType == .dateAttributeType, let date = unquotedDate(other) {
      return .init(
        range: date.range,
        problem: "\(date.text) without quotes is a calculation and not a date",
        remedy: "write \(PredicateText.text(date.text))"
      )
    }
    guard let remedy = Self.remedy(attribute, against: other) else { return nil }
    return .init(
      range: other.range,
      problem: "\(path.text) is a \(TypeWords.name(of: attribute)), which never equals this value",
      remedy: remedy
    )
  }

  // MARK: - Dates

  /// The first problem with the texts that are compared with a date attribute.
  private var faultOfDates: PredicateModelCheck.Fault? {
    var dates: [Date] = []
    for text in DateComparison(comparison).texts {
      switch TypedDate(text.value, in: zone) {
      case .date(let date): dates.append(date)
      case .refused(let problem, let remedy): return .init(range: text.range, problem: problem, remedy: remedy)
      }
    }
    guard comparison.operation == .between, dates.count == 2, dates[0] > dates[1] else { return nil }
    return .init(
      range: comparison.right.range,
      problem: "no date lies between these, because the first one is later",
      remedy: "write the earlier date first"
    )
  }

  /// A date without quotes. The format language reads it as two subtractions.
  private func unquotedDate(_ operand: ScannedOperand) -> (text: String, range: Range<Int>)? {
    guard case .other = operand.kind, operand.range.lowerBound >= comparison.range.upperBound else { return nil }
    let bytes = Array(text.utf8)[comparison.range.upperBound..<operand.range.upperBound]
    let written = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    guard ISO8601Date.parse(written) != nil else { return nil }
    return (written, operand.range.upperBound - written.utf8.count..<operand.range.upperBound)
  }

  private var isTextOperation: Bool {
    switch comparison.operation {
    case .contains, .text: true
    default: false
    }
  }

  /// - Returns: `nil` if the value can be compared with the attribute.
  private static func remedy(_ attribute: NSAttributeDescription, against other: ScannedOperand) -> String? {
    switch (AttributeKind(attribute.attributeType).storage, other.kind) {
    case (.text, .number), (.text, .boolean): return "put the text in quotes"
    case (.integer, .text), (.real, .text), (.decimal, .text): return "write a number without quotes"
    case (.boolean, .text): return "write YES or NO without quotes"
    case (.date, .number), (.date, .boolean): return "write a date in quotes, such as \"2024-10-01\", or now()"
    case (.uuid, .text), (.uuid, .number), (.uuid, .boolean):
      return "write CAST(\"00000000-0000-0000-0000-000000000000\", \"NSUUID\") with the UUID"
    case (.uri, .text), (.uri, .number), (.uri, .boolean): return "write CAST(\"https://…\", \"NSURL\") with the URL"
    default: return nil
    }
  }
}
