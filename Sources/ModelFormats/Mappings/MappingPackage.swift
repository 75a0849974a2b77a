package import Foundation

/// An `.xcmappingmodel`: a folder with the mapping model that Xcode edits, which names the two
/// versions that it leads from and to.
///
/// Xcode keeps a copy of each version in the file too, an archive of its editor's own classes without all that a model
/// says (derivations are not in it). It is not read: the versions themselves count, and cannot be out of date.
package struct MappingPackage {
  /// One of the two versions.
  package enum Side: String, Sendable {
    case source
    case destination
  }

  /// The folder.
  package let url: URL
  /// The file in it, as errors name it.
  package let file: String
  private let source: MappingSource

  /// Reads the file. Expressions are not checked yet.
  ///
  /// - Throws: `ModelFileError` if the folder does not exist, or if its file cannot be read or is not a mapping model.
  package init(contentsOf url: URL) throws(ModelFileError) {
    self.url = url
    let xml = url.appendingPathComponent("xcmapping.xml")
    file = xml.path
    guard try ModelFileReader.list(url).contains(xml.lastPathComponent) else {
      throw ModelFileError(
        .corrupt,
        file: url.path,
        problem: "the folder has no xcmapping.xml in it, which a mapping model needs; restore it"
      )
    }
    source = try MappingSource(try ModelFileReader.read(xml), file: file)
  }

  /// The path that a version had in Xcode's project: `Notes/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
  package func modelPath(of side: Side) -> String? { source.model.text("\(side.rawValue)modelpath") }

  /// Warnings about parts that are left out of the mapping model.
  package var warnings: [ModelFileError] { source.warnings }

  /// The mapping model, with the version hashes of the entities.
  ///
  /// - Throws: `ModelFileError` with the object that is wrong and its line.
  package func document(
    from former: ModelDocument,
    to latter: ModelDocument
  ) throws(ModelFileError) -> MappingDocument {
    var document = try MappingSourceReader(source, source: former, destination: latter).document()
    let hashes = [former, latter].map { ModelVersionHashes.entityHashes(of: $0) }
    for index in document.entityMappings.indices {
      let mapping = document.entityMappings[index]
      document.entityMappings[index].sourceVersionHash = mapping.sourceEntity.flatMap { hashes[0][$0] }
      document.entityMappings[index].destinationVersionHash = mapping.destinationEntity.flatMap { hashes[1][$0] }
    }
    return document
  }

  /// Compiles the mapping model.
  ///
  /// - Parameter find: finds a version by the path that it had in Xcode's project; `nil` if the
  ///   version is not available.
  /// - Throws: `ModelFileError` if a version is missing or invalid, or if an object of the file is wrong.
  package func compiled(find: (Side, String?) throws(ModelFileError) -> URL?) throws(ModelFileError) -> Data {
    let former = try model(.source, find)
    let latter = try model(.destination, find)
    return try document(from: former, to: latter).compiled(file: file)
  }

  private func model(
    _ side: Side,
    _ find: (Side, String?) throws(ModelFileError) -> URL?
  ) throws(ModelFileError) -> ModelDocument {
    if let url = try find(side, modelPath(of: side)) {
      let contents = try ModelDocument.contentsFile(of: url)
      let document = try ModelDocument(contentsOf: contents)
      try document.check(file: contents.path)
      return document
    }
    throw source.error(
      source.model,
      problem: """
        the \(side.rawValue) model \(modelPath(of: side) ?? "is not named, and") is not in the package; add that version to the \
        models of the target or of one that it depends on, or name the versions when the mapping model is compiled by hand
        """
    )
  }
}
