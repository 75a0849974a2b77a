public import Foundation

// `Bundle.urls(forResourcesWithExtension:subdirectory:)` answers with `NSURL`s outside of Apple's
// platforms, and sources give what they get on to these.

extension NSManagedObjectModel {
  /// Reads a model; see ``init(contentsOf:)-(URL)``.
  public convenience init?(contentsOf url: NSURL) {
    self.init(contentsOf: url as URL)
  }
}

extension NSMappingModel {
  /// Reads a compiled mapping model; see ``init(contentsOf:)-(URL?)``.
  public convenience init?(contentsOf url: NSURL) {
    self.init(contentsOf: url as URL)
  }
}
