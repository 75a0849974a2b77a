import Foundation

public struct NSKeyValueObservingOptions: OptionSet {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

public enum NSKeyValueChange: UInt {
  case setting = 1
  case insertion, removal, replacement
}

struct NSKeyValueChangeKey: Hashable, RawRepresentable {
  var rawValue: String
  static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
  static let newKey = NSKeyValueChangeKey(rawValue: "new")
  static let oldKey = NSKeyValueChangeKey(rawValue: "old")
  static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
  static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// Receives changes of observed properties, which NSObject does on Apple's platforms.
class KeyValueObserver: NSObject {
  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}
