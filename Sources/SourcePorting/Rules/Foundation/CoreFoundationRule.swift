import SwiftSyntax

/// Imports Core Foundation by name where its functions and types are used, because Foundation does not
/// re-export it on Linux.
final class CoreFoundationRule: NameRule {
  override static func changes(in file: SwiftFile, index: DeclarationIndex) -> [PortingChange] {
    if file.imports(anyOf: ["CoreFoundation"]) { return [] }
    let visitor = Self(file: file, index: index)
    visitor.walk(file.tree)
    guard let use = visitor.firstUse else { return [] }
    return [
      PortingChange(
        offset: use.startOffset,
        reason: "\(use.text) is Core Foundation's, which has to be imported here",
        edits: [.importing("CoreFoundation", in: file)]
      )
    ]
  }

  /// The prefixes of Core Foundation's names.
  private static let prefixes = [
    "CFAbsoluteTime", "CFTimeInterval", "CFRunLoop", "kCFRunLoop", "kCFAllocator", "CFAllocator",
    "CFGetRetainCount",
    "CFUUID", "kCFAbsoluteTime",
  ]

  private(set) var firstUse: TokenSyntax?

  override func look(at name: TokenSyntax) {
    guard firstUse == nil, Self.prefixes.contains(where: name.text.hasPrefix), index.types[name.text] == nil,
      !index.functions.contains(name.text)
    else { return }
    firstUse = name
  }
}
