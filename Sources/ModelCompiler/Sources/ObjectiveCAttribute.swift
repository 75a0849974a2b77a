import SwiftSyntax

/// An `@objc` or `@objcMembers` that the compiler refuses where there is no Objective-C.
struct ObjectiveCAttribute {
  /// The attribute as the source writes it, such as `@objc(Note)`.
  var text: String
  var position: SourcePosition
  /// True for the attribute of a getter or a setter, which Swift does not allow inside `#if`.
  var isOfAccessor: Bool

  /// The attributes of a file that no condition of `#if` excludes or may exclude, in the order of the source.
  static func all(in tree: SourceFileSyntax, lines: LineTable) -> [ObjectiveCAttribute] {
    let finder = ObjectiveCAttributeFinder(lines: lines)
    finder.walk(tree)
    return finder.found
  }
}

/// Finds the attributes everywhere in a file, including the bodies of functions.
private final class ObjectiveCAttributeFinder: SyntaxVisitor {
  private let lines: LineTable
  private(set) var found: [ObjectiveCAttribute] = []

  private static let names: Set = ["objc", "objcMembers"]

  init(lines: LineTable) {
    self.lines = lines
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    for branch in ConditionalBranch.branches(of: node) where branch.conditions.isEmpty { walk(branch.elements) }
    return .skipChildren
  }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    let declaration = node.parent?.is(AttributeListSyntax.self) == true ? node.parent?.parent : nil
    guard Self.names.contains(node.attributeName.trimmedDescription), let declaration,
      Self.isRefused(on: declaration)
    else { return .skipChildren }
    found.append(
      ObjectiveCAttribute(
        text: node.trimmedDescription,
        position: lines.position(of: node.positionAfterSkippingLeadingTrivia.utf8Offset),
        isOfAccessor: declaration.is(AccessorDeclSyntax.self)
      )
    )
    return .skipChildren
  }

  /// Returns false for enumerations and their cases, on which the compiler accepts the attribute without an effect, and for
  /// `optional` requirements, for which it has a message of its own.
  private static func isRefused(on declaration: Syntax) -> Bool {
    if declaration.is(EnumDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self) { return false }
    let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
    return !modifiers.contains { $0.name.tokenKind == .keyword(.optional) }
  }
}
