import SwiftSyntax

/// Imports Foundation on platforms without CoreGraphics or ObjectiveC, if a file that imports them uses only the
/// names that Foundation has there.
final class PlainImportRule: PortingRule {
  /// Returns true when Foundation on Linux has everything that a file may use of a framework that it imports.
  static func suffices(for module: String, in file: SwiftFile) -> Bool {
    switch module {
    case "CoreGraphics":
      !file.usesName { $0.hasPrefix("CG") && !geometry.contains($0) || $0.hasPrefix("kCG") }
    case "ObjectiveC":
      !file.usesName { name in runtimePrefixes.contains { name.hasPrefix($0) } || name == "Selector" }
    default: false
    }
  }

  private static let geometry: Set = ["CGFloat", "CGPoint", "CGSize", "CGRect"]
  private static let runtimePrefixes = [
    "objc_", "object_", "class_", "method_", "imp_", "ivar_", "property_", "protocol_", "sel_", "OBJC_",
  ]

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    let module = node.path.trimmedDescription
    guard Self.suffices(for: module, in: file), node.importKindSpecifier == nil,
      file.beginsLine(node.startOffset)
    else { return .skipChildren }
    let line = file.newline + file.indentation(node.startOffset)
    let words = (node.attributes.map(\.trimmedDescription) + node.modifiers.map(\.trimmedDescription))
      .map { $0 + " " }.joined()
    let end = file.lineEnd(node.endOffset)
    let foundation =
      file.imports(anyOf: ["Foundation", "CoreData"]) ? "" : "\(line)#else\(line)\(words)import Foundation"
    report(
      node,
      reason: "what is used of \(module) is Foundation's here",
      edits: [
        SourceEdit(range: node.startOffset..<node.startOffset, replacement: "#if canImport(\(module))\(line)"),
        SourceEdit(range: end..<end, replacement: "\(foundation)\(line)#endif"),
      ]
    )
    return .skipChildren
  }
}

extension SwiftFile {
  /// Returns true when the file uses a name that satisfies a condition.
  fileprivate func usesName(where condition: (String) -> Bool) -> Bool {
    tree.tokens(viewMode: .sourceAccurate).contains { token in
      guard case .identifier(let name) = token.tokenKind, condition(name) else { return false }
      return token.parent?.is(ImportPathComponentSyntax.self) != true
    }
  }
}
