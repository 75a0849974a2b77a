import ModelCompiler

/// Rewrites Swift sources so that they compile on Apple's platforms and, with this package's Core Data, elsewhere.
///
/// Rules work on the syntax of each file, without resolving types. A second run changes nothing.
package struct SourcePorter {
  private let files: [SwiftFile]
  private var index: DeclarationIndex

  /// - Parameters:
  ///   - sources: all or some files of a module. The rules use the declarations of all of them for each file.
  ///   - models: the paths of the models from which the build generates classes.
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

  /// The result for a file that cannot be ported.
  private func left(_ file: SwiftFile, offset: Int, reason: String) -> PortedFile {
    PortedFile(
      path: file.path,
      original: file.text,
      text: file.text,
      rewrites: [],
      leftovers: [finding(file.path, lines: LineTable(file.bytes), offset: offset, reason: reason)]
    )
  }

  private func finding(_ path: String, lines: LineTable, offset: Int, reason: String) -> PortingFinding {
    let position = lines.position(of: offset)
    return PortingFinding(file: path, line: position.line, column: position.column, reason: reason)
  }
}

/// A ported file, with its changes.
package struct PortedFile: Sendable {
  package let path: String
  package let original: String
  /// The ported text, as far as the rules can port it; the original text if nothing has to change.
  package let text: String
  /// The changes that the rules made, by their position in the original text.
  package let rewrites: [PortingFinding]
  /// The changes that an author has to make, by their position in the new text.
  package let leftovers: [PortingFinding]

  package var isChanged: Bool { text != original }
}

/// A position in a file with a message.
package struct PortingFinding: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1 in bytes of UTF-8.
  package var column: Int
  package var reason: String

  /// The finding as a line: `file:line:column: reason`.
  package var description: String { "\(file):\(line):\(column): \(reason)" }
}
