/// The attributes and elements of a model file that `ModelDocument` has no name for: kept, written
/// back and reported.
public struct UnknownContents: Hashable, Sendable {
  /// The attributes, by name.
  public var attributes: [String: String] = [:]
  /// The elements, with all that is in them.
  public var elements: [ContentsElement] = []

  /// Makes an empty collection.
  public init() {}

  /// True when nothing is unknown.
  public var isEmpty: Bool { attributes.isEmpty && elements.isEmpty }
}
