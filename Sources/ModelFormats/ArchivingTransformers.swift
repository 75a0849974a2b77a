/// The names of Foundation's transformers that read and write keyed archives.
package enum ArchivingTransformers {
  /// The names by which a model may ask for one of them: those of the constants, their raw values,
  /// and the name of the class, for which Apple's framework makes a transformer.
  ///
  /// The old unarchivers are read as secure archives, like the others.
  package static let names: Set<String> = [
    "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
    "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
    "NSKeyedUnarchiveFromDataTransformerName", "NSUnarchiveFromData", "NSUnarchiveFromDataTransformerName",
  ]
}
