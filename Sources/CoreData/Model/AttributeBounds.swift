import ModelFormats

/// What a model file says about the valid values of an attribute.
struct AttributeBounds: Equatable {
  /// The smallest value, or the length of the shortest string.
  var minimum: ModelDocument.Value?
  /// The largest value, or the length of the longest string.
  var maximum: ModelDocument.Value?
  /// The regular expression that a whole string has to match.
  var pattern: String?
}
