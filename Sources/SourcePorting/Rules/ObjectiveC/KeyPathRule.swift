import SwiftSyntax

/// Replaces `#keyPath(Note.category.name)` by `("category.name", \Note.category, \Category.name).0`. The text
/// is the same, and the compiler checks every name in it on all platforms.
///
/// The text does not come from the key paths, because their names are unknown until a model with their class is in use.
final class KeyPathRule: PortingRule {
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    guard node.macroName.text == "keyPath", let argument = node.arguments.first?.expression else {
      return .visitChildren
    }
    guard let path = ObjectiveCKeyPath(argument, at: node) else {
      report(node, reason: "#keyPath needs Objective-C; write the key path as text")
      return .skipChildren
    }
    let checked = path.checked(by: index)
    report(
      node,
      reason: "#keyPath becomes text with Swift key paths",
      edits: [SourceEdit(range: node.startOffset..<node.endOffset, replacement: checked.text)]
    )
    if let unknown = checked.unknown {
      report(
        node,
        reason: """
          the key path is checked up to \(unknown) only: the class of its values is not in these sources; add the \
          rest if it is a Swift class
          """
      )
    }
    return .skipChildren
  }
}

/// The key path in `#keyPath(…)`.
private struct ObjectiveCKeyPath {
  /// The type at the beginning of the path.
  let root: [String]
  let names: [String]

  /// - Parameter node: the node that contains the path. A path without a type begins at the type around the node.
  init?(_ expression: ExprSyntax, at node: some SyntaxProtocol) {
    guard var components = Self.components(expression) else { return nil }
    let types = components.dropLast().prefix { $0.first?.isUppercase ?? false }
    components.removeFirst(types.count)
    guard let root = types.isEmpty ? node.enclosingTypeNames : Array(types) else { return nil }
    self.root = root
    names = components
  }

  private static func components(_ expression: ExprSyntax) -> [String]? {
    if let name = expression.as(DeclReferenceExprSyntax.self), name.argumentNames == nil {
      return [name.baseName.text]
    }
    guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base,
      let front = components(base)
    else { return nil }
    return front + [member.declName.baseName.text]
  }

  /// The expression that replaces `#keyPath`, and the last name that the compiler checks, if the names
  /// after it remain unchecked.
  func checked(by index: DeclarationIndex) -> (text: String, unknown: String?) {
    var keys: [String] = []
    var paths: [String] = []
    var unknown: String?
    var type: (written: String, name: String)? = (root.joined(separator: "."), root.last ?? "")
    for name in names {
      let plain = name.filter { $0 != "`" }
      guard let owner = type else {
        keys.append(plain)
        continue
      }
      let property = index.property(plain, of: owner.name)
      keys.append(property?.objectiveCName ?? plain)
      paths.append("\\\(owner.written).\(name)")
      type = property?.typeName.map { ($0, $0) }
      if type == nil, name != names.last { unknown = plain }
    }
    return ("(\"\(keys.joined(separator: "."))\", \(paths.joined(separator: ", "))).0", unknown)
  }
}
