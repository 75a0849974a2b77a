import Foundation

// The descriptions of stores and of all that leads to them: the class, and the values that tell one
// from another.

extension NSPersistentStore {
  /// `<SQLiteStore: 0x…> (URL: file:///…)`; Apple's classes of stores have other names.
  final func describe() -> String { ObjectHead.text(self, [("URL", (url?.absoluteString).orNull)]) }
}

extension NSPersistentStoreDescription {
  final func describe() -> String {
    "\(ObjectHead.text(self)) (type: \(type), url: \((url?.absoluteString).orNull))"
  }
}

extension NSAsynchronousFetchResult {
  /// Describes the result by the number of what was found, and not by its contents, which may be
  /// very much and belong to the queue of the context.
  final func describe(count: Int?, of request: NSFetchRequest<ResultType>) -> String {
    ObjectHead.text(
      self,
      [
        ("fetchRequest", request.description), ("finalResult", count.map { "\($0) results" }.orNull),
        ("operationError", operationError.map { "\($0)" }),
      ]
    )
  }
}

extension FetchedSectionInfo {
  func describe() -> String {
    ObjectHead.text(
      self,
      [("name", DescriptionNode.quoted(name)), ("numberOfObjects", "\(numberOfObjects)")]
    )
  }
}
