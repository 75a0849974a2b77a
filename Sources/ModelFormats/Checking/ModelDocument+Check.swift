extension ModelDocument {
  /// Checks that the document makes sense as a whole, so that a model can be made of it: names are
  /// unique and what they refer to exists, values are of their types.
  ///
  /// - Parameter file: the name by which the error calls the file.
  /// - Throws: `ModelFileError` for the first thing that is wrong, with its line and the remedy.
  public func check(file: String? = nil) throws(ModelFileError) {
    var check = DocumentCheck(document: self, file: file)
    try check.run()
  }
}
