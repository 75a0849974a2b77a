import CoreData

/// Reads the colours of a mood, of each of which the store has three bytes: red, green and blue.
final class ColorsTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }

  /// The colours of which the store has the data.
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    let bytes = Array(data)
    return stride(from: 0, to: bytes.count - bytes.count % 3, by: 3)
      .map { start in
        bytes[start..<start + 3].map { String(format: "%02X", $0) }.joined()
      }
  }
}
