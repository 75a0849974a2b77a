import SwiftSyntax

/// Replaces `NSEC_PER_SEC` and similar constants, which Dispatch has only on Apple's platforms, by numbers
/// of their type.
enum TimeUnitRule: PortingRule {
  static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    Visitor(file: file, index: index).collect()
  }

  private static let numbers: [String: String] = [
    "NSEC_PER_SEC": "1_000_000_000",
    "NSEC_PER_MSEC": "1_000_000",
    "NSEC_PER_USEC": "1_000",
    "USEC_PER_SEC": "1_000_000",
    "MSEC_PER_SEC": "1_000",
  ]

  private final class Visitor: NameVisitor {
    override func look(at name: TokenSyntax) {
      guard let number = numbers[name.text], !index.values.contains(name.text) else { return }
      report(
        name,
        reason: "\(name.text) is not there; its value takes its place",
        edits: [SourceEdit(range: name.startOffset..<name.endOffset, replacement: "UInt64(\(number))")]
      )
    }
  }
}
