public import Foundation

extension ModelDocument {
  /// Compiles the model to a keyed archive, as Apple's tools write a `.mom`. The same model gives the same bytes.
  ///
  /// Parts without a key in Apple's archives are stored under keys of our own, which ``init(compiled:file:)`` reads and
  /// Apple's framework ignores: code generation, scalar types, synchronisation, the flags of fetch requests, the names
  /// of composites, expressions of indexes, the XML attributes that have no name here, and predicates with operators
  /// that are not known from archives (such as `MATCHES`).
  ///
  /// A compiled model does not contain
  ///
  /// - the positions of entities in the editor,
  /// - the builds of the editor and the system, and the oldest editor and system that the file is for,
  /// - the order of entities, properties, templates and configurations, which are stored by name,
  /// - the difference between a default that is written and one that is left out (no class or
  ///   `NSManagedObject`, an ascending order, a to-one relationship's count of 1),
  /// - composites that no attribute uses, and
  /// - unknown elements of the XML.
  ///
  /// - Parameters:
  ///   - module: the module that the model is built into, which is put before class names that
  ///     begin with a dot (`.Note` becomes `Notes.Note`); `nil` leaves them unchanged.
  ///   - file: the name of the model in errors; `nil` if it does not have one.
  /// - Throws: `ModelFileError` if the document is not valid as a whole.
  public func compiled(module: String? = nil, file: String? = nil) throws(ModelFileError) -> Data {
    try archive(.file, module: module, file: file)
  }

  /// The model as Apple's framework archives it in a store, where it is compressed further.
  ///
  /// - Throws: `ModelFileError` if the document is not valid as a whole.
  package func archivedForStore() throws(ModelFileError) -> Data { try archive(.cache, module: nil, file: nil) }

  private func archive(
    _ form: CompiledModelWriter.Form,
    module: String?,
    file: String?
  ) throws(ModelFileError) -> Data {
    try check(file: file)
    var writer = CompiledModelWriter(self, form: form, module: module)
    do {
      return try writer.data()
    } catch {
      var located = error
      located.file = located.file ?? file
      throw located
    }
  }
}
