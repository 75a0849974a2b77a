/// One kind of source that compiles on Apple's platforms only, and what becomes of it.
protocol PortingRule: Sendable {
  /// The changes that the rule finds in a file.
  ///
  /// Applied to its own result a rule finds nothing to edit. Edits of different rules do not
  /// overlap.
  ///
  /// - Parameter index: the declarations in all files that are ported together.
  static func changes(in file: SwiftFile, _ index: DeclarationIndex) -> [PortingChange]
}
