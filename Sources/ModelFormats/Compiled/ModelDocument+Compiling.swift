public import Foundation

extension ModelDocument {
  /// The model compiled, as Apple's tools write a `.mom`: a keyed archive, the same bytes for the
  /// same model.
  ///
  /// Parts that Apple's archives have no key for are archived beside their keys, where reading with
  /// ``init(compiled:file:)`` finds them and Apple's framework does not look: code generation,
  /// scalar types, synchronisation, the flags of fetch requests, the names of composites,
  /// expressions of indexes, what else the XML says in attributes that have no name here, and
  /// predicates with operators that are not known from archives (such as `MATCHES`).
  ///
  /// A compiled model does not hold: where the editor shows the entities; the builds of the editor
  /// and the system, and the oldest editor and system that the file is for; the order of entities,
  /// properties, templates and configurations, which are kept by name; whether something that has
  /// no effect is said or left out (no class or `NSManagedObject`, an ascending order, a to-one
  /// relationship's count of 1); composites that no attribute is made of; and unknown elements of
  /// the XML.
  ///
  /// - Parameters:
  ///   - module: the module that the model is built into, which stands before class names that
  ///     begin with a dot (`.Note` becomes `Notes.Note`); `nil` leaves them as they are.
  ///   - file: the name by which errors call the model; `nil` where it has none.
  /// - Throws: `ModelFileError` when the document does not make sense as a whole.
  public func compiled(module: String? = nil, file: String? = nil) throws(ModelFileError) -> Data {
    try archive(.file, module: module, file: file)
  }

  /// The model as Apple's framework archives it in a store, where it is compressed further.
  ///
  /// - Throws: `ModelFileError` when the document does not make sense as a whole.
  package func archivedForStore() throws(ModelFileError) -> Data {
    try archive(.cache, module: nil, file: nil)
  }

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
