@_spi(Reflection) import Swift

@testable import Browser

/// A stored property of a context, as its declaration has it.
struct ContextMember {
  let name: String
  /// The type of the member, or of its elements, or of the value that may be absent.
  let type: Any.Type
  /// True when the member's value may be absent.
  let isOptional: Bool

  /// Returns the members of a context. Without an instance only the standard library's reflection of types has them.
  static func members(of context: any TemplateFields.Type) -> [ContextMember] {
    var members: [ContextMember] = []
    _ = _forEachField(of: context) { name, _, type, _ in
      let isOptional = (type as? any Wrapper.Type)?.isOptional ?? false
      members.append(ContextMember(name: String(cString: name), type: innermost(type), isOptional: isOptional))
      return true
    }
    return members
  }

  private static func innermost(_ type: Any.Type) -> Any.Type {
    (type as? any Wrapper.Type).map { innermost($0.wrapped) } ?? type
  }
}

/// A type that holds values of another type.
private protocol Wrapper {
  static var wrapped: Any.Type { get }
  static var isOptional: Bool { get }
}

extension Optional: Wrapper {
  static var wrapped: Any.Type { Wrapped.self }
  static var isOptional: Bool { true }
}

extension Array: Wrapper {
  static var wrapped: Any.Type { Element.self }
  static var isOptional: Bool { false }
}
