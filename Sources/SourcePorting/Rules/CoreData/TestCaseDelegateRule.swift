import SwiftSyntax

/// Lists test cases that are the delegate of a results controller, because on Linux `XCTestCase` is not an `NSObject`.
enum TestCaseDelegateRule: PortingRule {
  static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    Visitor(file: file, index: index).collect()
  }

  private static let delegate = "NSFetchedResultsControllerDelegate"

  private final class Visitor: PortingVisitor {
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
      look(at: node.name.plainName, clause: node.inheritanceClause)
      return .visitChildren
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      look(at: node.extendedType.elementName ?? "", clause: node.inheritanceClause)
      return .visitChildren
    }

    private func look(at name: String, clause: InheritanceClauseSyntax?) {
      let conformance = clause?.inheritedTypes.first { $0.type.elementName == delegate }
      guard let conformance, index.ancestors(of: name).contains("XCTestCase") else { return }
      report(
        conformance,
        reason:
          "XCTestCase is not an NSObject here, as a \(delegate) is; make a class of NSObject the delegate"
      )
    }
  }
}
