import CoreData
import Foundation
import Synchronization

/// Stores a text with its characters reversed.
final class ReversingTransformer: ValueTransformer {
  static let calls = Mutex<[String]>([])

  override class func transformedValueClass() -> AnyClass { NSData.self }

  override func transformedValue(_ value: Any?) -> Any? {
    guard let text = value as? String else { return nil }
    Self.calls.withLock { $0.append("transformed \(text)") }
    return Data(String(text.reversed()).utf8)
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    Self.calls.withLock { $0.append("reversed \(text)") }
    return String(text.reversed())
  }
}

/// Transforms every value into one that cannot be stored.
final class BrokenTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { "text" }
}

final class Color: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  var name: String

  init(name: String) { self.name = name }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
  }

  func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

final class ColorTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [Color.self] }
}
