import Foundation

/// A section of fetched results: objects in order.
struct FetchedSection {
  let name: String
  var objects: [NSManagedObject]
}

/// A place in sections.
struct FetchedPosition: Hashable, Comparable {
  let section: Int
  let item: Int

  static func < (one: FetchedPosition, other: FetchedPosition) -> Bool {
    (one.section, one.item) < (other.section, other.item)
  }
}

/// A section as others see it.
final class FetchedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
  private let section: FetchedSection
  private let title: (String) -> String?

  init(_ section: FetchedSection, title: @escaping (String) -> String?) {
    self.section = section
    self.title = title
  }

  var name: String { section.name }
  var indexTitle: String? { title(section.name) }
  var numberOfObjects: Int { section.objects.count }
  var objects: [Any]? { section.objects }

  override var description: String { describe() }
}

extension FetchedSectionInfo {
  func describe() -> String {
    ObjectHead.text(
      self,
      [("name", DescriptionNode.quoted(name)), ("numberOfObjects", "\(numberOfObjects)")]
    )
  }
}
