import ModelCompiler

/// Rewrites Swift sources so that they compile on Apple's platforms and, with this package's Core
/// Data, elsewhere.
///
/// Rules are applied to the syntax of each file; types are not resolved. A second run changes
/// nothing.
package struct SourcePorter {
  private let files: [SwiftFile]
  private var index: DeclarationIndex

  /// - Parameters:
  ///   - sources: the files that make up a module, or some of them; declarations of one help with
  ///     another.
  ///   - models: the paths of the models whose classes the build generates.
  ///   - longestParse: the longest time that the parsing of a file may take.
  package init(
    sources: [(path: String, text: String)],
    models: [String] = [],
    longestParse: Duration = BoundedParse.longestTime
  ) {
    files = sources.map { SwiftFile(path: $0.path, text: $0.text, longestParse: longestParse) }
    index = DeclarationIndex(files)
    index.generatedClasses = GeneratedClasses.headings(ofModelsAt: models)
  }

  /// Ports all files, in the order in which they were given.
  package func port() -> [PortedFile] { files.map(port) }

  private func port(_ file: SwiftFile) -> PortedFile {
    if let refusal = file.refusal {
      return left(file, offset: 0, reason: "the file is left as it is: \(refusal); correct or divide it first")
    }
    if let error = file.firstSyntaxError {
      return left(file, offset: error, reason: "this does not parse, and the file is left as it is; correct it first")
    }
    let changes = Rules.all.flatMap { $0.changes(in: file, index: index) }.sorted { $0.offset < $1.offset }
    let applier = EditApplier(EditComposer(changes, in: file).compose())
    let ported = applier.apply(to: file.bytes)
    let (oldLines, newLines) = (LineTable(file.bytes), LineTable(ported))
    return PortedFile(
      path: file.path,
      original: file.text,
      text: String(decoding: ported, as: UTF8.self),
      rewrites: changes.filter(\.isRewrite).map {
        finding(file.path, lines: oldLines, offset: $0.offset, reason: $0.reason)
      },
      leftovers: changes.filter { !$0.isRewrite }.map {
        finding(file.path, lines: newLines, offset: applier.newOffset(of: $0.offset), reason: $0.reason)
      }
    )
  }

  /// A file that cannot be ported.
  private func left(_ file: SwiftFile, offset: Int, reason: String) -> PortedFile {
    PortedFile(
      path: file.path,
      original: file.text,
      text: file.text,
      rewrites: [],
      leftovers: [finding(file.path, lines: LineTable(file.bytes), offset: offset, reason: reason)]
    )
  }

  private func finding(_ path: String, lines: LineTable, offset: Int, reason: String) -> PortingFinding
  {
    let position = lines.position(of: offset)
    return PortingFinding(file: path, line: position.line, column: position.column, reason: reason)
  }
}

/// A file before and after.
package struct PortedFile: Sendable {
  package let path: String
  package let original: String
  /// The text that compiles on both sides, as far as it can be done; the original text where
  /// nothing has to change.
  package let text: String
  /// The changes that were made, by their place in the original text.
  package let rewrites: [PortingFinding]
  /// The changes that have to be made by hand, by their place in the new text.
  package let leftovers: [PortingFinding]

  package var isChanged: Bool { text != original }
}

/// A place in a file, and what there is to say about it.
package struct PortingFinding: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in bytes of UTF-8.
  package var column: Int
  package var reason: String

  /// `file:line:column: reason`
  package var description: String { "\(file):\(line):\(column): \(reason)" }
}
