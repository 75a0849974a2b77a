import SwiftSyntax

/// Replaces imports of single declarations of Core Data, such as `import class CoreData.NSManagedObject`, by `import CoreData`.
final class CoreDataImportRule: PortingRule {
  /// True when the file already imports the whole module at its top level.
  private lazy var isImported = file.tree.statements.contains { statement in
    guard let node = statement.item.as(ImportDeclSyntax.self) else { return false }
    return node.path.trimmedDescription == "CoreData" && node.importKindSpecifier == nil
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    guard node.path.first?.name.text == "CoreData", node.path.count > 1,
      let start = (node.importKindSpecifier.map { $0.startOffset } ?? node.path.first?.startOffset)
    else { return .skipChildren }
    let reason = "CoreData has no parts to import here: it is imported as a whole"
    let line = file.lineStart(node.startOffset)..<file.lineEnd(node.endOffset)
    let isAlone =
      file.beginsLine(node.startOffset) && file.endOfSpaces(from: node.endOffset) == line.upperBound
    let isAtTop = node.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
    if isImported, isAlone, isAtTop, file.bytes[line.upperBound...].starts(with: file.newline.utf8) {
      let whole = line.lowerBound..<line.upperBound + file.newline.utf8.count
      report(node, reason: reason, edits: [SourceEdit(range: whole, replacement: "")])
    } else {
      if isAtTop { isImported = true }
      report(node, reason: reason, edits: [SourceEdit(range: start..<node.endOffset, replacement: "CoreData")])
    }
    return .skipChildren
  }
}
