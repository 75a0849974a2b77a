public import Foundation

/// A place in the history of one or more stores: the last transaction that a reader has read.
///
/// A token is good for every coordinator that opens the same stores, and can be kept in a file.
/// Apple's documentation of `NSPersistentHistoryToken`.
///
/// ```swift
/// if let token = coordinator.currentPersistentHistoryToken(fromStores: nil) {
///   let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
///   try data.write(to: file)
/// }
/// let data = try Data(contentsOf: file)
/// let token = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
/// ```
// Immutable.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The number of the last transaction in each store, by the store's identifier.
  final let numbers: [String: Int64]

  init(numbers: [String: Int64]) {
    self.numbers = numbers
    super.init()
  }

  private static let numbersKey = "storeTokens"

  /// A Boolean value that is always true: a token is read from an archive by its class.
  public static var supportsSecureCoding: Bool { true }

  /// Reads a token back; `nil` when the archive holds none.
  public required init?(coder: NSCoder) {
    let classes = [NSDictionary.self, NSString.self, NSNumber.self]
    guard let numbers = coder.decodeObject(of: classes, forKey: Self.numbersKey) as? [String: NSNumber] else {
      return nil
    }
    self.numbers = numbers.mapValues(\.int64Value)
    super.init()
  }

  /// Writes the token.
  open func encode(with coder: NSCoder) {
    let numbers = numbers.mapValues { NSNumber(value: $0) }
    coder.encode(NSDictionary(dictionary: numbers), forKey: Self.numbersKey)
  }

  /// Tokens are immutable: the same one.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool { (object as? NSPersistentHistoryToken)?.numbers == numbers }

  open override var hash: Int { numbers.hashValue }

  open override var description: String { describe() }
}
