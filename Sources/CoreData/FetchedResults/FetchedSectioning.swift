import Foundation
import Predicates
import Synchronization

/// Puts objects, or dictionaries, into sections by the values of a key path.
struct FetchedSectioning {
  /// `nil` for one section of all.
  let keyPath: String?
  let cacheName: String?
  /// The request and the key path as text, by which remembered sections are known.
  private let request: String
  private let reader: KeyPathReader?

  /// - Throws: an error for an invalid key path.
  init(_ request: any AnyFetchRequest, keyPath: String?, cacheName: String?) throws {
    self.keyPath = keyPath
    reader = try keyPath.map { try KeyPathReader($0) }
    self.cacheName = cacheName
    self.request = """
      \(request.entityName ?? "") \(request.predicate?.printedFormat ?? "") \(request.sortDescriptors ?? []) \
      \(keyPath ?? "") \(request.resultType.rawValue)
      """
  }

  /// The name of the section that an object belongs to.
  func name(of object: NSManagedObject) throws -> String { try name { try $0.value(of: object) } }

  /// The name of the section that a dictionary belongs to. The names of its keys may have dots.
  private func name(of dictionary: NSDictionary) throws -> String {
    try name { reader in
      if let keyPath, let value = dictionary[keyPath] { return value }
      return try reader.value(of: dictionary)
    }
  }

  private func name(of value: (KeyPathReader) throws -> Any?) throws -> String {
    guard let reader else { return "" }
    switch try value(reader) {
    case nil, is NSNull: return ""
    case let text as String: return text
    case let date as Date: return DescriptionNode.text(of: date)
    case let value?: return "\(value)"
    }
  }

  /// The sections of objects in their order.
  ///
  /// - Throws: an error that names the first object that does not stand with the others of its section.
  func sections(of objects: [NSManagedObject]) throws -> [FetchedSection] {
    try sections(of: objects) { try name(of: $0) }
  }

  /// The sections of dictionaries in their order.
  ///
  /// - Throws: an error that names the first one that does not stand with the others of its section.
  func sections(of dictionaries: [NSDictionary]) throws -> [ResultSection<NSDictionary>] {
    try sections(of: dictionaries) { try name(of: $0) }
  }

  private func sections<Element>(
    of objects: [Element],
    _ name: (Element) throws -> String
  ) throws -> [ResultSection<Element>] {
    guard keyPath != nil else { return [ResultSection(name: "", objects: objects)] }
    if let known = try remembered(objects, name) { return known }
    let sections = try grouped(objects, name)
    if let cacheName {
      let cached = sections.map { FetchedResultsCache.Section(name: $0.name, count: $0.objects.count) }
      FetchedResultsCache.cache(FetchedResultsCache.Entry(request: request, sections: cached), name: cacheName)
    }
    return sections
  }

  private func grouped<Element>(
    _ objects: [Element],
    _ nameOf: (Element) throws -> String
  ) throws -> [ResultSection<Element>] {
    var sections: [ResultSection<Element>] = []
    var names: Set<String> = []
    var start = 0
    var current: String?
    for (index, object) in objects.enumerated() {
      let name = try nameOf(object)
      if name == current { continue }
      guard names.insert(name).inserted else { throw outOfOrder(index, name: name) }
      if let current { sections.append(ResultSection(name: current, objects: Array(objects[start..<index]))) }
      current = name
      start = index
    }
    if let current { sections.append(ResultSection(name: current, objects: Array(objects[start...]))) }
    return sections
  }

  /// The sections as they were found before; `nil` when they are others now.
  private func remembered<Element>(
    _ objects: [Element],
    _ nameOf: (Element) throws -> String
  ) throws -> [ResultSection<Element>]? {
    guard let cacheName, let entry = FetchedResultsCache.entry(cacheName), entry.request == request,
      entry.sections.reduce(0, { $0 + $1.count }) == objects.count
    else { return nil }
    var sections: [ResultSection<Element>] = []
    var start = 0
    for section in entry.sections {
      let end = start + section.count
      guard try nameOf(objects[start]) == section.name, try nameOf(objects[end - 1]) == section.name
      else { return nil }
      sections.append(ResultSection(name: section.name, objects: Array(objects[start..<end])))
      start = end
    }
    return sections
  }

  private func outOfOrder(_ index: Int, name: String) -> NSError {
    CocoaError.coreData(
      NSCoreDataError,
      message: """
        the fetched result at index \(index) has the section name "\(name)", and stands apart from the others of that \
        section; let the first sort descriptor sort by \(keyPath ?? ""), or by something that has the same order.
        """
    )
  }
}

/// The sections that controllers found, by cache name, for the lifetime of the process.
///
/// In sorted results, a section extends from its first object to its last. If both are still at the
/// cached positions, the section names of the objects between them need not be read.
enum FetchedResultsCache {
  struct Entry: Sendable {
    /// The request and the key path by which the sections were found, as text: others have other sections.
    let request: String
    let sections: [Section]
  }

  struct Section: Sendable {
    let name: String
    let count: Int
  }

  private static let entries = Mutex<[String: Entry]>([:])

  static func entry(_ name: String) -> Entry? { entries.withLock { $0[name] } }

  static func cache(_ entry: Entry, name: String) { entries.withLock { $0[name] = entry } }

  /// Forgets one entry, or all.
  static func delete(_ name: String?) {
    entries.withLock { entries in
      if let name { entries[name] = nil } else { entries = [:] }
    }
  }
}
