/// The name of a comparison in a sort descriptor.
///
/// There is no Objective-C here. The type lets `NSSortDescriptor(key:ascending:selector:)` be written as on Apple's
/// platforms: `Selector("localizedStandardCompare:")`, or just the name in quotes.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name with its colons.
  package let name: String

  /// Makes a selector from its name.
  public init(_ name: String) { self.name = name }

  /// Makes a selector from its name.
  public init(stringLiteral name: String) { self.name = name }
}

extension Selector: CustomStringConvertible {
  public var description: String { name }
}

/// The selector of a name.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

/// The name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }
