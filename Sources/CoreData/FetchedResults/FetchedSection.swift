import Foundation

/// A section of fetched objects, in order.
typealias FetchedSection = ResultSection<NSManagedObject>

/// A section of fetched results: objects or dictionaries, in order.
struct ResultSection<Element> {
  let name: String
  var objects: [Element]
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
  let name: String
  let numberOfObjects: Int
  private let all: () -> [Any]
  private let title: (String) -> String?

  init<Element>(_ section: ResultSection<Element>, title: @escaping (String) -> String?) {
    name = section.name
    numberOfObjects = section.objects.count
    all = { section.objects }
    self.title = title
  }

  var indexTitle: String? { title(name) }
  var objects: [Any]? { all() }

  override var description: String { describe() }
}

extension FetchedSectionInfo {
  func describe() -> String {
    ObjectHead.text(self, [("name", DescriptionNode.quoted(name)), ("numberOfObjects", "\(numberOfObjects)")])
  }
}
