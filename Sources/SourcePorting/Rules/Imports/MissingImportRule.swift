import SwiftSyntax

/// Adds `import CoreData` to files that use Core Data's names without it, since UIKit, SwiftUI or a
/// bridging header shows them too on Apple's platforms, and to files that use what is Foundation's
/// or the language's there.
enum MissingImportRule: PortingRule {
  static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    let visitor = Visitor(file: file, index: index)
    visitor.walk(file.tree)
    guard !visitor.importsCoreData, let use = visitor.uses.first else { return [] }
    return [
      PortingChange(
        offset: use.startOffset,
        reason: "\(use.text) comes from CoreData here",
        edits: [.importing("CoreData", in: file)]
      )
    ]
  }

  /// The classes that Foundation has with fewer initialisers.
  private static let classes: Set = ["NSPredicate", "NSSortDescriptor"]

  /// The beginnings of the names that are Core Data's, of types, constants and notifications.
  private static let prefixes = [
    "NSManagedObject", "NSPersistent", "NSFetch", "NSEntity", "NSBatch", "NSMerge", "NSMapping", "NSMigrat",
    "NSInferMapping", "NSAsynchronousFetch", "NSAtomicStore", "NSIncrementalStore", "NSPropertyDescription",
    "NSPropertyMapping", "NSAttributeDescription", "NSAttributeType", "NSRelationshipDescription",
    "NSExpressionDescription", "NSDerivedAttribute", "NSCompositeAttribute", "NSStagedMigration",
    "NSLightweightMigration", "NSCustomMigration", "NSConstraintConflict", "NSSaveChangesRequest",
    "NSQueryGeneration", "NSSQLite", "NSInMemoryStoreType", "NSBinaryStoreType", "NSXMLStoreType",
  ]
  /// The names that begin like that, and are AppKit's.
  private static let others: Set = ["NSPersistentDocument"]

  private static func isCoreData(_ name: String) -> Bool {
    name.hasPrefix("NS") && prefixes.contains { name.hasPrefix($0) } && !others.contains(name)
  }

  private final class Visitor: PortingVisitor {
    private(set) var uses: [TokenSyntax] = []
    private(set) var importsCoreData = false

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
      if ["CoreData", "Predicates"].contains(node.path.first?.name.text) { importsCoreData = true }
      return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName else {
        return .visitChildren
      }
      let isAutoreleasePool = name.text == "autoreleasepool" && !index.functions.contains(name.text)
      if isAutoreleasePool || classes.contains(name.text) { uses.append(name) }
      return .visitChildren
    }

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
      if case .identifier(let name) = token.tokenKind, index.types[name] == nil,
        FoundationNameRule.names.contains(name) || isCoreData(name)
      {
        uses.append(token)
      }
      return .skipChildren
    }
  }
}
