/// A store that keeps decimal numbers as binary floating-point numbers, which have fewer digits.
protocol DecimalRoundingStore: ObjectStore {}

extension NSPersistentStore {
  /// True when a decimal number that was saved may be read with fewer digits.
  package var roundsDecimals: Bool { self is any DecimalRoundingStore }
}
