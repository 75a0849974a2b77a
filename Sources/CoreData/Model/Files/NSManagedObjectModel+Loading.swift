public import Foundation
package import ModelFormats

extension NSManagedObjectModel {
  /// Reads a model: an `.xcdatamodeld` or a compiled `.momd`, of which the current version counts,
  /// an `.xcdatamodel` or a `.mom`.
  ///
  /// It fails without a reason, as Apple's does; ``load(contentsOf:)`` gives the reason. Reading omits invalid parts of
  /// a model, such as a default value of another type, and logs a warning for each, once in a program.
  public convenience init?(contentsOf url: URL) {
    self.init()
    do {
      try read(contentsOf: url)
    } catch {
      return nil
    }
  }

  /// Reads a model: an `.xcdatamodeld` or a compiled `.momd`, of which the current version counts,
  /// an `.xcdatamodel` or a `.mom`.
  ///
  /// Apple has no such method; it is `init(contentsOf:)` with an error.
  ///
  /// ```swift
  /// do {
  ///   let model = try NSManagedObjectModel.load(contentsOf: url)
  ///   print(model.entities.count)
  /// } catch {
  ///   print(error.localizedDescription)  // with the file, the line and the element
  /// }
  /// ```
  ///
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, and the line, the element and
  ///   the attribute where something is wrong.
  public static func load(contentsOf url: URL) throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    try model.read(contentsOf: url)
    return model
  }

  /// Makes a model of a document.
  ///
  /// - Parameter file: the document's file, as the error names it.
  /// - Throws: `ModelFileError` when the document does not make sense as a whole.
  package convenience init(document: ModelDocument, file: String? = nil) throws(ModelFileError) {
    self.init()
    try fill(from: document, file: file)
  }

  /// The model as a document that can be written to a file.
  package final var document: ModelDocument { ModelDocument(self) }

  private func read(contentsOf url: URL) throws(ModelFileError) {
    var warnings: [ModelFileError] = []
    let file = try ModelDocument.contentsFile(of: url, warn: { warnings.append($0) })
    let document = try ModelDocument(contentsOf: file)
    try fill(from: document, file: file.path)
    ModelWarnings.log(warnings + document.warnings(file: file.path))
    packages = Self.versionPackage(of: url).map { [$0] } ?? []
  }

  private func fill(from document: ModelDocument, file: String?) throws(ModelFileError) {
    try document.check(file: file)
    var builder = ModelBuilder(document: document)
    do {
      try builder.build(into: self)
    } catch {
      var located = error
      located.file = file
      throw located
    }
  }
}

extension NSManagedObjectModel {
  // Sources pass on the `NSURL`s that `Bundle.urls(forResourcesWithExtension:subdirectory:)` returns outside of Apple's
  // platforms.
  /// Reads a model; see ``init(contentsOf:)-(URL)``.
  public convenience init?(contentsOf url: NSURL) { self.init(contentsOf: url as URL) }
}
