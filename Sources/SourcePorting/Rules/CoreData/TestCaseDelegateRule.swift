import SwiftSyntax

/// Lists test cases that are the delegate of a results controller, because on Linux `XCTestCase` is not an `NSObject`.
final class TestCaseDelegateRule: PortingRule {
  private static let delegate = "NSFetchedResultsControllerDelegate"

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    look(at: node.name.plainName, clause: node.inheritanceClause)
    return .visitChildren
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    look(at: node.extendedType.elementName ?? "", clause: node.inheritanceClause)
    return .visitChildren
  }

  private func look(at name: String, clause: InheritanceClauseSyntax?) {
    let conformance = clause?.inheritedTypes.first { $0.type.elementName == Self.delegate }
    guard let conformance, index.ancestors(of: name).contains("XCTestCase") else { return }
    report(
      conformance,
      reason:
        "XCTestCase is not an NSObject here, as a \(Self.delegate) is; make a class of NSObject the delegate"
    )
  }
}
