import Foundation

/// Replaces a color with an object that can be archived.
final class StandInColor: NSObject, NSSecureCoding {
  let name: String

  init(name: String) { self.name = name }

  static let blue = StandInColor(name: "blue")
  static let yellow = StandInColor(name: "yellow")

  static var supportsSecureCoding: Bool { true }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
  }

  func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }

  override func isEqual(_ object: Any?) -> Bool { (object as? StandInColor)?.name == name }

  override var hash: Int { name.hashValue }
}
