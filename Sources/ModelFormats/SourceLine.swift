/// The line of a file on which a part of a document was found.
///
/// All lines are equal, so that documents are compared by their contents and not by their layout.
public struct SourceLine: Hashable, Sendable {
  /// The line, from 1, or `nil` for a part without a file.
  public var number: Int?

  /// Creates the position of a line, or of no file.
  public init(_ number: Int? = nil) { self.number = number }

  public static func == (_: SourceLine, _: SourceLine) -> Bool { true }

  public func hash(into _: inout Hasher) {}
}
