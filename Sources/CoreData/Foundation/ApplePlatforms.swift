public import Foundation

extension NSObject {
  /// The class itself, which is what archives name it by.
  public class func classForCoder() -> AnyClass { self }
}

#if !canImport(ObjectiveC)
  /// Runs a body, and comes back with its result.
  ///
  /// Without the Objective-C runtime objects are released as soon as nothing holds them; there is
  /// no pool to drain. The function lets sources of Apple's platforms compile.
  ///
  /// - Throws: the error of the body.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
#endif

/// The two numbers of an index path into sections, as UIKit and AppKit name them.
extension IndexPath {
  /// The place of a row in a section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The place of an item in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The section: the first of the two numbers, which the index path must have.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The place in the section: the second of the two numbers, which the index path must have.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The place in the section: the second of the two numbers, which the index path must have.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
