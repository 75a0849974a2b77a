import Files
import Foundation
import Synchronization

/// The file format of a store that is written as a whole.
protocol AtomicFormat: Sendable {
  /// The type of store that the format is of.
  static var storeType: String { get }

  static func data(of document: AtomicDocument) throws -> Data

  /// The data of the same file with other metadata.
  static func data(_ data: Data, with metadata: StoreMetadata, file: URL) throws -> Data

  /// The metadata in a store's file.
  ///
  /// - Throws: an error that names the file, when it is of another format.
  static func metadata(in data: Data, file: URL) throws -> StoreMetadata

  /// - Parameter ignoresUnknown: true when properties that the model does not have are passed over.
  /// - Throws: an error that names the file and the object, when something does not fit the model.
  static func document(
    in data: Data,
    file: URL,
    model: NSManagedObjectModel,
    ignoresUnknown: Bool
  ) throws -> AtomicDocument
}

/// A store in a file that is read as a whole when it is opened and written as a whole with each save.
// Set when the store is opened. It is written under its lock; reads go to the store in memory, which has its own lock.
class AtomicFileStore: NSPersistentStore, MemoryBackedStore, WholeFileStore, @unchecked Sendable {
  let memory: InMemoryStore
  let writing = NSRecursiveLock()
  private var model: NSManagedObjectModel?
  private var storedMetadata: StoreMetadata?
  /// The content that this store read or wrote last, and where: of a device none.
  private var known: (url: URL, version: FileVersion?)?

  class var format: any AtomicFormat.Type { fatalError("\(self) must override format.") }

  override var type: String { Self.format.storeType }

  override init(
    persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
    configurationName name: String?,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) {
    memory = Self.makeMemory(options: options)
    super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
  }

  private var file: URL { url ?? StoreFile.nowhere }

  // MARK: - Opening

  func open(model: NSManagedObjectModel) throws {
    self.model = model
    try openMemory(model)
    try StoreFile(file).checkPlace(mustExist: isReadOnly, isWritten: !isReadOnly)
    if try read(model) { return }
    if isReadOnly { throw StoreFile(file).nothingToRead() }
    publish(InMemoryContents(sharesKeys: true))
    apply(StoreMetadata(model: model, storeType: type))
    do {
      try commitDraft(memory.contents.withLock { $0 }, changes: nil)
    } catch is FoundAnother {
      // Another program was quicker to make the store.
      guard try read(model) else { throw StoreFile(file).nothingToRead() }
    }
  }

  /// Loads the file at the store's place.
  ///
  /// - Returns: false if there is no file, or an empty one.
  private func read(_ model: NSManagedObjectModel) throws -> Bool {
    // The version is read before the file. If another program writes the file during the read, the
    // next check notices a change.
    known = (file, FileVersion(resolving: file.path))
    guard let data = try Self.contents(of: file) else { return false }
    let metadata = try Self.format.metadata(in: data, file: file)
    let ignoresVersions = (options?[NSIgnorePersistentStoreVersioningOption] as? Bool) ?? false
    if !ignoresVersions {
      let entities = model.entities(ofStoreWith: metadata.properties, configuration: configurationName)
      try metadata.check(fits: model, entities: entities, file: file)
    }
    let document = try Self.format.document(
      in: data,
      file: file,
      model: model,
      ignoresUnknown: ignoresVersions
    )
    publish(document.contents(store: index))
    apply(document.metadata)
    return true
  }

  private func apply(_ metadata: StoreMetadata) {
    storedMetadata = metadata
    identifier = metadata.uuid
    var all = metadata.all
    all[NSStoreTypeKey] = type
    self.metadata = all
  }

  override func loadMetadata() throws {
    if storedMetadata == nil { apply(try Self.readMetadata(at: file)) }
  }

  // MARK: - Committing

  func references(for changes: ChangeSet) throws -> [Int64: ObjectReference] { [:] }

  func commitDraft(_ draft: InMemoryContents, changes: ChangeSet?) throws {
    guard let model, var metadata = storedMetadata else { throw closed }
    metadata.setAll(self.metadata)
    let document = AtomicDocument(draft, metadata: metadata, model: model)
    let data = try Self.format.data(of: document)
    try requireKnownContent()
    try Self.writing(file) { try put(data) }
    storedMetadata = metadata
  }

  /// Thrown when another program has created a store at the place of a new one.
  private struct FoundAnother: Error {}

  private func put(_ data: Data) throws {
    let output = try FileOutput(file)
    try output.write(data)
    let version = try output.version()
    do {
      if let known, known.url == file, known.version == nil {
        guard try output.finishIfAbsent() else { throw FoundAnother() }
      } else {
        try output.finish()
      }
    } catch {
      // In its place, and perhaps not on the disk: the next save is over what this one wrote.
      if let version, FileVersion(resolving: file.path) == version { known = (file, version) }
      throw error
    }
    known = (file, version)
  }

  /// A save writes all objects of this store, and would therefore overwrite what another program has saved since they
  /// were read. If the file was deleted, it is written again: this store has all of its content.
  ///
  /// No lock prevents other programs from writing between this check and the save.
  private func requireKnownContent() throws {
    guard let known, known.url == file, let version = known.version,
      let current = FileVersion(resolving: file.path), current != version
    else { return }
    throw StoreFailure.save(
      """
      \(file.path) was written or replaced by another program since the store was read; nothing was saved, since all \
      that was changed there would be lost. Remove the store from the coordinator, add it again, and make the changes \
      anew.
      """,
      file: file
    )
  }

  private var closed: any Error {
    StoreFailure.operation("The store \(file.path) is not open; add it to a coordinator.", file: file)
  }

  // MARK: - Files

  static func destroy(at url: URL, options: [AnyHashable: Any]?) throws {
    try StoreFile(url).remove(mayBeFolder: false)
  }

  static func isCreatedAside(for url: URL) -> Bool { true }

  override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    var all = try readMetadata(at: url).all
    all[NSStoreTypeKey] = format.storeType
    return all
  }

  override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    guard let data = try contents(of: url) else { throw StoreFile(url).nothingToRead() }
    var stored = try format.metadata(in: data, file: url)
    stored.setAll(metadata ?? [:])
    let changed = try format.data(data, with: stored, file: url)
    try write(changed, to: url)
  }

  class func readMetadata(at url: URL) throws -> StoreMetadata {
    guard let data = try contents(of: url) else { throw StoreFile(url).nothingToRead() }
    return try format.metadata(in: data, file: url)
  }

  /// `nil` if there is no file, or an empty one.
  class func contents(of file: URL) throws -> Data? {
    if FileKind(resolving: file.path) == .nothing { return nil }
    // Reading a pipe would wait for ever.
    try StoreFile(file).checkPlace(mustExist: true, isWritten: false)
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw StoreFailure.open(
        "The store \(file.path) cannot be read: \(error.localizedDescription)",
        file: file,
        details: [NSUnderlyingErrorKey: error]
      )
    }
    return data.isEmpty ? nil : data
  }

  class func write(_ data: Data, to file: URL) throws {
    try writing(file) { try FileOutput.write(data, to: file) }
  }

  /// Runs a closure that writes a store's file.
  ///
  /// - Throws: an error with the file and the remedy for each of the system's.
  private class func writing(_ file: URL, _ write: () throws -> Void) throws {
    do {
      try write()
    } catch let failure where !(failure is FoundAnother) {
      throw StoreFailure.error(
        (failure as? FileFailure)?.cocoaCode() ?? NSPersistentStoreSaveError,
        message: """
          The store \(file.path) cannot be written: \(failure.localizedDescription). Make room, or make the folder \
          writable.
          """,
        file: file,
        details: [NSUnderlyingErrorKey: failure]
      )
    }
  }
}

/// A store in XML, in the format of Apple's `NSXMLStoreType`.
// Sendable like its superclass, because it has no state of its own.
final class XMLStore: AtomicFileStore, @unchecked Sendable {
  override class var format: any AtomicFormat.Type { XMLStoreFormat.self }
}

/// A store in a binary property list.
// Sendable like its superclass, because it has no state of its own.
final class BinaryStore: AtomicFileStore, @unchecked Sendable {
  override class var format: any AtomicFormat.Type { BinaryStoreFormat.self }
}
