public import Foundation

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
