import CBrowserResources

extension EmbeddedFile {
  /// The bytes of the file.
  var contents: [UInt8] { Array(UnsafeBufferPointer(start: bytes, count: count)) }
}
