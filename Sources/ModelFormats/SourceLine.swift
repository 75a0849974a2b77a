/// The line of a file on which a part of a document was found.
///
/// All lines are equal, so that documents compare by what they say and not by how they are laid
/// out.
public struct SourceLine: Hashable, Sendable {
  /// The line, from 1 on, or `nil` for a part that comes from no file.
  public var number: Int?

  /// Makes the position of a line, or of no file.
  public init(_ number: Int? = nil) {
    self.number = number
  }

  public static func == (_: SourceLine, _: SourceLine) -> Bool { true }

  public func hash(into _: inout Hasher) {}
}
