import SwiftSyntax

/// Adds missing imports. On Apple's platforms a file may use Core Data without importing it, because UIKit,
/// SwiftUI or a bridging header exports its names. A file may also use names that belong to Foundation or
/// the language there, and to Core Data here.
final class MissingImportRule: PortingRule {
  override static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    let visitor = Self(file: file, index: index)
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

  /// The classes that Foundation has with fewer initializers.
  private static let classes: Set = ["NSPredicate", "NSSortDescriptor"]

  /// The prefixes of Core Data's names of types, constants and notifications.
  private static let prefixes = [
    "NSManagedObject", "NSPersistent", "NSFetch", "NSEntity", "NSBatch", "NSMerge", "NSMapping", "NSMigrat",
    "NSInferMapping", "NSAsynchronousFetch", "NSAtomicStore", "NSIncrementalStore", "NSPropertyDescription",
    "NSPropertyMapping", "NSAttributeDescription", "NSAttributeType", "NSRelationshipDescription",
    "NSExpressionDescription", "NSDerivedAttribute", "NSCompositeAttribute", "NSStagedMigration",
    "NSLightweightMigration", "NSCustomMigration", "NSConstraintConflict", "NSSaveChangesRequest",
    "NSQueryGeneration", "NSSQLite", "NSInMemoryStoreType", "NSBinaryStoreType", "NSXMLStoreType",
  ]
  /// The names with such a prefix that belong to AppKit.
  private static let others: Set = ["NSPersistentDocument"]

  private static func isCoreData(_ name: String) -> Bool {
    name.hasPrefix("NS") && prefixes.contains { name.hasPrefix($0) } && !others.contains(name)
  }

  private(set) var uses: [TokenSyntax] = []
  private(set) var importsCoreData = false

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if ["CoreData", "Predicates"].contains(node.path.first?.name.text) { importsCoreData = true }
    return .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName else { return .visitChildren }
    let isAutoreleasePool = name.text == "autoreleasepool" && !index.functions.contains(name.text)
    if isAutoreleasePool || Self.classes.contains(name.text) { uses.append(name) }
    return .visitChildren
  }

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    if case .identifier(let name) = token.tokenKind, index.types[name] == nil,
      FoundationNameRule.names.contains(name) || Self.isCoreData(name)
    {
      uses.append(token)
    }
    return .skipChildren
  }
}
