package import SwiftSyntax

/// The value of a condition of `#if`, as far as it is known before compilation.
///
/// Generated code repeats a condition of unknown value, so that the compiler evaluates it.
package enum CompilationCondition {
  case holds
  case fails
  case depends

  package init(_ expression: ExprSyntax) {
    if let sequence = expression.as(SequenceExprSyntax.self) {
      self = Self.sequence(Array(sequence.elements))
    } else if let tuple = expression.as(TupleExprSyntax.self), let only = tuple.elements.first,
      tuple.elements.count == 1
    {
      self = CompilationCondition(only.expression)
    } else if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
      self = !CompilationCondition(prefix.expression)
    } else if let literal = expression.as(BooleanLiteralExprSyntax.self) {
      self = literal.literal.text == "true" ? .holds : .fails
    } else if let call = expression.as(FunctionCallExprSyntax.self) {
      self = Self.call(
        call.calledExpression.trimmedDescription,
        argument: call.arguments.first?.trimmedDescription ?? ""
      )
    } else {
      self = .depends
    }
  }

  static prefix func ! (condition: CompilationCondition) -> CompilationCondition {
    switch condition {
    case .holds: .fails
    case .fails: .holds
    case .depends: .depends
    }
  }

  /// Evaluates operands that are joined by `&&` and `||`, of which `&&` binds tighter.
  private static func sequence(_ elements: [ExprSyntax]) -> CompilationCondition {
    var alternatives: [[CompilationCondition]] = [[]]
    for (index, element) in elements.enumerated() {
      if index.isMultiple(of: 2) {
        alternatives[alternatives.count - 1].append(CompilationCondition(element))
      } else if element.trimmedDescription == "||" {
        alternatives.append([])
      }
    }
    let results = alternatives.map { parts -> CompilationCondition in
      if parts.contains(.fails) { return .fails }
      return parts.contains(.depends) ? .depends : .holds
    }
    if results.contains(.holds) { return .holds }
    return results.contains(.depends) ? .depends : .fails
  }

  private static func call(_ name: String, argument: String) -> CompilationCondition {
    switch name {
    case "os": applePlatforms.contains(argument) ? .fails : .depends
    case "targetEnvironment": .fails
    case "canImport":
      if appleModules.contains(argument) { .fails } else { ownModules.contains(argument) ? .holds : .depends }
    default: .depends
    }
  }

  private static let applePlatforms: Set = [
    "macOS", "OSX", "iOS", "tvOS", "watchOS", "visionOS", "xrOS", "macCatalyst", "DriverKit",
  ]
  private static let appleModules: Set = [
    "ObjectiveC", "Darwin", "UIKit", "AppKit", "Cocoa", "SwiftUI", "SwiftData", "Combine", "CloudKit",
    "WatchKit",
    "CoreGraphics", "CoreLocation", "CoreSpotlight", "MapKit", "os",
  ]
  private static let ownModules: Set = ["Swift", "Foundation", "CoreData"]
}

/// A branch of `#if` that may be compiled, with the conditions that only the compiler can evaluate.
struct ConditionalBranch {
  var conditions: [String]
  var elements: IfConfigClauseSyntax.Elements

  /// The branches that may be compiled.
  static func branches(of syntax: IfConfigDeclSyntax) -> [ConditionalBranch] {
    var branches: [ConditionalBranch] = []
    var excluded: [String] = []
    for clause in syntax.clauses {
      let text = clause.condition?.trimmedDescription
      let condition = clause.condition.map { CompilationCondition($0) } ?? .holds
      guard condition != .fails else { continue }
      if let elements = clause.elements {
        let own = condition == .depends ? text.map { [$0] } ?? [] : []
        branches.append(ConditionalBranch(conditions: excluded + own, elements: elements))
      }
      if condition == .holds { break }
      if let text { excluded.append("!(\(text))") }
    }
    return branches
  }
}
