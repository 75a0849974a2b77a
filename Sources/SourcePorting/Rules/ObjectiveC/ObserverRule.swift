import SwiftSyntax

/// Writes an observer's registration by selector a second time, for platforms without Objective-C: with a
/// closure that calls the same method.
final class ObserverRule: PortingRule {
  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let registration = ObserverRegistration(node) else { return .visitChildren }
    switch registration.closure(index) {
    case .failure(let obstacle): report(node, reason: "#selector needs Objective-C; \(obstacle.remedy)")
    case .success(let closure):
      let edits = registration.edits(closure)
      if let alternative = StatementAlternative(around: node, edits: edits) {
        report(node, reason: "#selector needs Objective-C; a closure calls the method here", alternative: alternative)
      } else {
        report(node, reason: "#selector needs Objective-C; \(ObserverObstacle.place.remedy)")
      }
    }
    return .visitChildren
  }
}

/// An observer's registration with a notification center:
/// `center.addObserver(self, selector: #selector(changed(_:)), name: name, object: object)`.
struct ObserverRegistration {
  private let call: FunctionCallExprSyntax
  private let observer: LabeledExprSyntax
  private let selector: LabeledExprSyntax
  private let name: LabeledExprSyntax
  private let object: LabeledExprSyntax

  init?(_ call: FunctionCallExprSyntax) {
    let arguments = Array(call.arguments)
    guard call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "addObserver",
      arguments.map({ $0.label?.text }) == [nil, "selector", "name", "object"],
      arguments[1].expression.as(MacroExpansionExprSyntax.self)?.macroName.text == "selector"
    else { return nil }
    self.call = call
    (observer, selector, name, object) = (arguments[0], arguments[1], arguments[2], arguments[3])
  }

  /// The closure that calls the selector's method.
  func closure(_ index: DeclarationIndex) -> Result<String, ObserverObstacle> {
    guard observer.expression.trimmedDescription == "self", !isInTypeMethod,
      let owner = call.enclosingTypeNames?.last,
      call.parent?.is(CodeBlockItemSyntax.self) == true, object.trailingComma == nil
    else { return .failure(.place) }
    guard !index.removedObservers.contains(owner) else { return .failure(.removal) }
    guard let target else { return .failure(.method) }
    let methods = index.methods(target.name.plainName, of: target.type ?? owner).filter {
      target.labels == nil || $0.labels == target.labels
    }
    var method = methods.first
    if methods.isEmpty, let labels = target.labels, labels.count < 2 {
      // Inherited from a class outside the sources. Objective-C passes a notification to such a method.
      method = DeclarationIndex.Method(
        labels: labels,
        parameters: labels.map { _ in "Notification" },
        isPlain: true
      )
    }
    guard methods.count < 2, let method, method.labels.count < 2 else { return .failure(.method) }
    guard method.isPlain, !index.mainActorClasses.contains(owner) else { return .failure(.actor) }
    guard let closure = Self.closure(calling: target.name.text, method: method) else { return .failure(.method) }
    return .success(closure)
  }

  private static func closure(calling name: String, method: DeclarationIndex.Method) -> String? {
    guard let label = method.labels.first, let type = method.parameters.first else {
      return "{ [weak self] _ in self?.\(name)() }"
    }
    let value: String
    switch type.filter({ !"!? ".contains($0) }) {
    case "Notification", "Foundation.Notification", "Any": value = "$0"
    case "NSNotification", "Foundation.NSNotification":
      value = "NSNotification(name: $0.name, object: $0.object, userInfo: $0.userInfo)"
    default: return nil
    }
    return "{ [weak self] in self?.\(name)(\(label == "_" ? "" : "\(label): ")\(value)) }"
  }

  /// The edits that replace the selector by a closure.
  func edits(_ closure: String) -> [SourceEdit] {
    let (start, end) = (call.startOffset, call.endOffset)
    let nameEnd = name.label?.endOffset ?? name.startOffset
    let objectEnd = object.expression.endOffset
    return [
      SourceEdit(range: start..<start, replacement: "_ = "),
      SourceEdit(range: observer.startOffset..<nameEnd, replacement: "forName"),
      SourceEdit(range: objectEnd..<objectEnd, replacement: ", queue: nil"),
      SourceEdit(range: end..<end, replacement: " \(closure)"),
    ]
  }

  /// The method of the selector, with its type and its labels if the selector states them.
  private var target: (type: String?, name: TokenSyntax, labels: [String]?)? {
    guard let macro = selector.expression.as(MacroExpansionExprSyntax.self), macro.arguments.count == 1,
      let argument = macro.arguments.first, argument.label == nil
    else { return nil }
    let member = argument.expression.as(MemberAccessExprSyntax.self)
    guard let reference = member?.declName ?? argument.expression.as(DeclReferenceExprSyntax.self) else { return nil }
    let written = member?.base?.as(DeclReferenceExprSyntax.self)?.baseName.plainName
    let type = written.flatMap { ["self", "Self"].contains($0) ? nil : $0 }
    return (type, reference.baseName, reference.argumentNames?.arguments.map(\.name.plainName))
  }

  /// True in a type method, whose `self` is not an instance.
  private var isInTypeMethod: Bool {
    var current = call.parent
    while let node = current, node.asProtocol((any DeclGroupSyntax).self) == nil {
      if let function = node.as(FunctionDeclSyntax.self) {
        return function.modifiers.contains { ["static", "class"].contains($0.name.text) }
      }
      current = node.parent
    }
    return false
  }
}

/// The reason that an author has to write the observer's closure.
enum ObserverObstacle: Error {
  /// The observer is not `self`, or the call is part of another expression.
  case place
  /// The class removes the observer outside of `deinit`.
  case removal
  /// The method is not in the sources, or its parameter is not a notification.
  case method
  /// The method is isolated to an actor, or asynchronous.
  case actor

  var remedy: String {
    let closure = "use addObserver(forName:object:queue:using:)"
    return switch self {
    case .place: "\(closure) with a closure that calls the method of the observer"
    case .removal: "\(closure), keep the observer that it returns, and remove that one in place of self"
    case .method: "\(closure) with a closure that calls the method with what it takes"
    case .actor: "take the notifications from notifications(named:object:) in a task of the method's actor"
    }
  }
}

/// Collects the classes that remove themselves as observers outside of `deinit`.
final class ObserverRemovals: SyntaxVisitor {
  private(set) var classes: Set<String> = []

  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "removeObserver",
      let first = node.arguments.first, first.label == nil, first.expression.trimmedDescription == "self",
      !node.arguments.contains(where: { $0.label?.text == "forKeyPath" }),
      let owner = node.enclosingTypeNames?.last
    {
      classes.insert(owner)
    }
    return .visitChildren
  }
}

extension SyntaxProtocol {
  /// True for `#selector` in an observer's registration.
  var isObserverSelector: Bool {
    guard let argument = parent?.as(LabeledExprSyntax.self), argument.label?.text == "selector",
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self)
    else { return false }
    return ObserverRegistration(call) != nil
  }
}
