import CoreData
import Foundation

/// A delegate that records the reported changes, and replays them on a copy of the sections.
// Each test uses it on one context's queue.
final class ChangeRecorder: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
  enum Told: Equatable {
    case will
    case section(String, Int, NSFetchedResultsChangeType)
    case object(NSManagedObjectID, IndexPath?, NSFetchedResultsChangeType, IndexPath?)
    case did
  }

  private(set) var told: [Told] = []
  private(set) var copy: [(name: String, objects: [NSManagedObject])] = []
  /// The number of calls with another controller than the observed one.
  private(set) var strangers = 0
  private let controller: NSObject

  init(_ controller: NSFetchedResultsController<Note>) {
    self.controller = controller
    super.init()
    controller.delegate = self
  }

  /// Starts again with the current sections.
  func start(_ controller: NSFetchedResultsController<Note>) {
    told = []
    copy = sections(of: controller)
  }

  func sections(of controller: NSFetchedResultsController<Note>) -> [(
    name: String, objects: [NSManagedObject]
  )] {
    (controller.sections ?? []).map { ($0.name, $0.objects as? [NSManagedObject] ?? []) }
  }

  func isCopyOf(_ controller: NSFetchedResultsController<Note>) -> Bool {
    let sections = sections(of: controller)
    return sections.map(\.name) == copy.map(\.name)
      && zip(sections, copy).allSatisfy { $0.objects.elementsEqual($1.objects, by: ===) }
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    if controller != self.controller { strangers += 1 }
    told.append(.will)
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    told.append(.section(sectionInfo.name, sectionIndex, type))
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? NSManagedObject else { return }
    objects[object.objectID] = object
    told.append(.object(object.objectID, indexPath, type, newIndexPath))
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    told.append(.did)
    replay()
  }

  /// The objects of the changes that are currently reported.
  private var objects: [NSManagedObjectID: NSManagedObject] = [:]

  /// Applies the changes as a table view does: removes rows by their old indices, then inserts rows by their new ones.
  private func replay() {
    guard let start = told.lastIndex(of: .will) else { return }
    let changes = told[start...]
    var removed: [IndexPath] = []
    var added: [(IndexPath, NSManagedObject)] = []
    var deletedSections: [Int] = []
    var insertedSections: [(Int, String)] = []
    for change in changes {
      switch change {
      case .section(_, let index, .delete): deletedSections.append(index)
      case .section(let name, let index, _): insertedSections.append((index, name))
      case .object(let id, let old, let type, let new) where type != .update:
        if let old { removed.append(old) }
        if let new, let object = objects[id] { added.append((new, object)) }
      default: break
      }
    }
    for path in removed.sorted(by: >) { copy[path.section].objects.remove(at: path.item) }
    for index in deletedSections.sorted(by: >) { copy.remove(at: index) }
    for (index, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) { copy.insert((name, []), at: index) }
    for (path, object) in added.sorted(by: { $0.0 < $1.0 }) {
      copy[path.section].objects.insert(object, at: path.item)
    }
    objects = [:]
  }
}

extension Stack {
  /// A controller of notes, sorted by title.
  func controller(
    _ format: String? = nil,
    sort keys: [String] = ["title"],
    sections: String? = nil,
    cache: String? = nil
  ) throws -> NSFetchedResultsController<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    return NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: sections,
      cacheName: cache
    )
  }
}

extension NSFetchedResultsController where ResultType == Note {
  var titles: [String] { fetchedObjects?.map { $0.title ?? "" } ?? [] }
}
