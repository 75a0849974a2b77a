public import Foundation

extension NSObject {
  /// The class itself, which is what archives name it by.
  public class func classForCoder() -> AnyClass { self }
}
