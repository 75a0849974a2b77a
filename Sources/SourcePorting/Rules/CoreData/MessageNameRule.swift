import SwiftSyntax

/// Writes out the selector of a message in the format of an expression, such as that of a property
/// mapping: `"FUNCTION($source, \"\(#selector(NSManagedObject.value(forKey:)))\", \"title\")"`.
/// Core Data recognizes these messages by name.
final class MessageNameRule: PortingRule {
  /// The messages that expressions send, by their Swift method names.
  private static let selectors = [
    "value(forKey:)": "valueForKey:",
    "value(forKeyPath:)": "valueForKeyPath:",
    "fetchRequest(forSourceEntityNamed:predicateString:)":
      "fetchRequestForSourceEntityNamed:predicateString:",
    "destinationInstances(forEntityMappingName:sourceInstances:)":
      "destinationInstancesForEntityMappingNamed:sourceInstances:",
    "destinationInstances(forSourceRelationshipNamed:sourceInstances:)":
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
    "sourceInstances(forEntityMappingName:destinationInstances:)":
      "sourceInstancesForEntityMappingNamed:destinationInstances:",
  ]

  override func visit(_ node: ExpressionSegmentSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.selectorName else { return .visitChildren }
    report(
      node,
      reason: "#selector in a text becomes the name of the method",
      edits: [SourceEdit(range: node.startOffset..<node.endOffset, replacement: name)]
    )
    return .skipChildren
  }

  /// The selector that `#selector(…)` gives, for a message that Core Data recognizes or for a getter of one of
  /// its own classes.
  static func name(of argument: LabeledExprSyntax) -> String? {
    guard let member = argument.expression.as(MemberAccessExprSyntax.self),
      let type = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text
    else { return nil }
    if argument.label?.text == "getter" {
      return ["NSMigrationManager", "NSManagedObject"].contains(type) ? member.declName.baseName.text : nil
    }
    return argument.label == nil ? selectors[member.declName.trimmedDescription] : nil
  }
}

extension ExpressionSegmentSyntax {
  /// The selector that the segment inserts into the string, if it consists of `#selector` only.
  var selectorName: String? {
    guard expressions.count == 1, let expression = expressions.first, expression.label == nil,
      let macro = expression.expression.as(MacroExpansionExprSyntax.self), macro.macroName.text == "selector",
      macro.arguments.count == 1, let argument = macro.arguments.first
    else { return nil }
    return MessageNameRule.name(of: argument)
  }
}
