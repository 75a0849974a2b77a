import SwiftSyntax

/// Overrides Core Data's initializer in classes of managed objects, stores and migration policies that have
/// an initializer of their own and do not override Core Data's. Core Data makes instances with it, and Swift
/// would not inherit it otherwise.
final class InheritedInitializerRule: PortingRule {
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let own = node.memberBlock.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
    requireInherited(own, in: node)
    let designated = own.filter { !$0.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) } }
    guard let last = designated.last, let inherited = inheritedInitializer(of: node),
      !designated.contains(where: { $0.labels == inherited.labels })
    else { return .visitChildren }
    let name = "init(\(inherited.labels.map { $0 + ":" }.joined()))"
    if let property = node.storedPropertyWithoutValue {
      report(
        last,
        reason: """
          \(name) makes instances here, and is inherited no longer; override it, with a value for \(property)
          """
      )
    } else {
      report(
        last,
        reason: "\(name) makes instances here, and would be inherited no longer",
        edits: [insertion(of: inherited, after: last, in: node)]
      )
    }
    return .visitChildren
  }

  /// Adds `required` to an override, because Core Data calls the initializer on a metatype value, for which
  /// Swift requires it.
  private func requireInherited(_ own: [InitializerDeclSyntax], in node: ClassDeclSyntax) {
    guard let inherited = inheritedInitializer(of: node), inherited.isRequired,
      let override = own.first(where: { $0.labels == inherited.labels }),
      !override.modifiers.contains(where: { $0.name.tokenKind == .keyword(.required) })
    else { return }
    let start = (override.modifiers.first.map { $0.startOffset } ?? override.initKeyword.startOffset)
    report(
      override.initKeyword,
      reason: "the initialiser makes instances here, and is required",
      edits: [SourceEdit(range: start..<start, replacement: "required ")]
    )
  }

  private func inheritedInitializer(of node: ClassDeclSyntax) -> InheritedInitializer? {
    let ancestors = index.ancestors(of: node.name.plainName)
    return InheritedInitializer.all.first { !$0.classes.isDisjoint(with: ancestors) }
  }

  private func insertion(
    of inherited: InheritedInitializer,
    after last: InitializerDeclSyntax,
    in node: ClassDeclSyntax
  ) -> SourceEdit {
    let outer = file.indentation(last.startOffset)
    let unit = outer.dropFirst(file.indentation(node.startOffset).count)
    let inner = outer + (unit.isEmpty ? "  " : unit)
    let isPublic = node.modifiers.contains { ["public", "open"].contains($0.name.text) }
    let lines = [
      "",
      outer + (isPublic ? "public " : "") + (inherited.isRequired ? "required " : "")
        + "override init(\(inherited.parameters)) {",
      inner + "super.init(\(inherited.arguments))",
      outer + "}",
    ]
    let text = file.newline + lines.joined(separator: file.newline)
    return SourceEdit(range: last.endOffset..<last.endOffset, replacement: text)
  }
}

/// A designated initializer with which Core Data makes instances.
private struct InheritedInitializer {
  let classes: Set<String>
  let labels: [String]
  let parameters: String
  let arguments: String
  var isRequired = false

  static let all = [
    InheritedInitializer(
      classes: ["NSManagedObject"],
      labels: ["entity", "insertInto"],
      parameters: "entity: NSEntityDescription, insertInto context: NSManagedObjectContext?",
      arguments: "entity: entity, insertInto: context"
    ),
    InheritedInitializer(
      classes: ["NSPersistentStore", "NSAtomicStore", "NSIncrementalStore"],
      labels: ["persistentStoreCoordinator", "configurationName", "at", "options"],
      parameters: """
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, \
        options: [AnyHashable: Any]? = nil
        """,
      arguments: "persistentStoreCoordinator: root, configurationName: name, at: url, options: options"
    ),
    InheritedInitializer(
      classes: ["NSEntityMigrationPolicy"],
      labels: [],
      parameters: "",
      arguments: "",
      isRequired: true
    ),
  ]
}

extension InitializerDeclSyntax {
  fileprivate var labels: [String] { signature.parameterClause.parameters.map(\.firstName.text) }
}

extension ClassDeclSyntax {
  /// The name of a property that an initializer has to set.
  fileprivate var storedPropertyWithoutValue: String? {
    for case let property? in memberBlock.members.map({ $0.decl.as(VariableDeclSyntax.self) }) {
      let words = property.modifiers.map(\.name.text)
      let isManaged = property.attributes.contains {
        $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "NSManaged"
      }
      if isManaged || words.contains("static") || words.contains("class") || words.contains("lazy") { continue }
      let isVariable = property.bindingSpecifier.tokenKind == .keyword(.var)
      for binding in property.bindings where binding.initializer == nil && !binding.isComputed {
        if isVariable, binding.typeAnnotation?.type.isOptional == true { continue }
        return binding.pattern.trimmedDescription
      }
    }
    return nil
  }
}

extension PatternBindingSyntax {
  fileprivate var isComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

extension TypeSyntax {
  fileprivate var isOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}
