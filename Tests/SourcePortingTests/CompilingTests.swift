import Foundation
import SourcePorting
import Testing

@Suite("Ported text, compiled", .enabled(if: Compiler.path != nil, "there is no swiftc"))
struct CompilingTests {
  /// The part of Core Data that sources see, with classes for what Objective-C would erase.
  static let coreData = """
    @_exported public import Foundation
    open class NSEntityDescription: NSObject {}
    open class NSManagedObjectContext: NSObject {}
    open class NSManagedObject: NSObject {
      public override init() {}
      open func note(_ name: String) {}
      public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {}
    }
    public protocol NSFetchRequestResult: NSObjectProtocol {}
    extension NSManagedObject: NSFetchRequestResult {}
    open class NSPersistentStoreRequest: NSObject {
      public func castingResults<Result>(to: Result.Type) -> NSPersistentStoreRequest { NSFetchRequest<Result>() }
    }
    open class NSFetchRequest<Result>: NSPersistentStoreRequest {}
    open class ValueTransformer: NSObject {}
    public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
    """

  /// Sources for Apple's platforms, without `@NSManaged`, which needs generated code.
  static let source = """
    import Foundation
    import class CoreData.NSManagedObject
    import CoreData.NSFetchRequest

    @objc(Note) @objcMembers
    public class Note: NSManagedObject {
      @objc public dynamic var title: String?
      public var category: Category?
      public var tags: Set<Category> = []
      @nonobjc public class func noteRequest() -> NSFetchRequest<Note> { NSFetchRequest() }
      @objc(addTagsObject:) @discardableResult public func addToTags(_ value: Category) -> Bool { true }
      @objc public init(text: String) { title = text }
      @objc subscript(index: Int) -> Int { index }
      deinit { print(#keyPath(title)) }
      static let key = #keyPath(title), path = #keyPath(Note.category.name), tags = #keyPath(Note.tags.name)
      func text(key: String = #keyPath(Note.title)) -> String { "\\(#keyPath(Note.title)) == \\(key)" }
      func request() throws -> NSFetchRequest<NSFetchRequestResult> {
        autoreleasepool { Note.noteRequest() as! NSFetchRequest<NSFetchRequestResult> }
      }
      func isForNotes(_ request: NSPersistentStoreRequest) -> Bool {
        if let notes = request as? NSFetchRequest<Note> { return notes is NSFetchRequest<Note> }
        return false
      }
    }

    @objc(Category) public class Category: NSManagedObject { @objc public var name: String? }
    extension Category { @objc public override func note(_ name: String) { super.note(#keyPath(Category.name)) } }
    @objc extension Category { func mark() { @objc class Local: NSObject {} } }
    @objc public enum Kind: Int { @objc(KindA) case a, b }
    @objc protocol Reader { @objc func read(_ note: Note) }
    @objc protocol Writer: Reader {}
    final class Shelf { weak var reader: Reader?; weak var writer: Writer? }
    func transformers() -> Any { Foundation.ValueTransformer.self }
    """

  @Test("compiles here, in both language modes", arguments: ["5", "6"])
  func compiles(mode: String) throws {
    let ported = port(Self.source)
    #expect(ported.leftovers.isEmpty)
    let compiler = try Compiler(coreData: Self.coreData)
    #expect(try compiler.errors(in: ported.text, mode: mode) == "")
    #expect(try compiler.errors(in: Self.source, mode: mode) != "")
  }

  /// Declarations that Foundation has on Apple's platforms, and that other modules or names have elsewhere.
  static let foundation = """
    import CoreGraphics
    import Foundation

    let width: CGFloat = 1
    func time() -> CFAbsoluteTime { CFAbsoluteTimeGetCurrent() }
    func pump() { CFRunLoopRunInMode(.defaultMode, 0, true) }
    func session() -> URLSession { .shared }
    func say() { fputs("a", stderr) }
    func models() -> [URL]? { Bundle.main.urls(forResourcesWithExtension: "mom", subdirectory: nil) }
    func first() -> URL? {
      if let url = Bundle.main.urls(forResourcesWithExtension: "mom", subdirectory: nil)?.first { return url }
      return nil
    }
    func text() -> String { String(localized: "a", bundle: .main, comment: "b") }
    func value() -> Any? { UserDefaults.standard.value(forKey: "a") }
    final class Shelf { var notes: NSSet? }
    func fill(_ shelf: Shelf) { shelf.notes = [1, 2] }
    func seconds(_ nanoseconds: UInt64) -> UInt64 { nanoseconds / NSEC_PER_SEC }
    final class Settings {
      let store = UserDefaults.standard
      func change() { store.setValue(1, forKey: "a") }
    }
    final class Watcher: @unchecked Sendable {
      weak var delegate: WatcherDelegate?
      init() {
        let center = NotificationCenter.default
        center.addObserver(self, selector: #selector(changed), name: Notification.Name("a"), object: nil)
        center.addObserver(self, selector: #selector(plain(_:)), name: Notification.Name("b"), object: self)
        center.addObserver(self, selector: #selector(ended), name: nil, object: nil)
      }
      deinit { NotificationCenter.default.removeObserver(self) }
      @objc func changed(note: Notification) { delegate?.didChange?(self) }
      @objc func plain(_ note: NSNotification) { print(delegate?.label?(of: self) ?? "") }
      @objc private func ended() {}
    }
    @objc protocol WatcherDelegate {
      @objc optional func didChange(_ watcher: Watcher)
      @objc(labelOfWatcher:)
      optional func label(of watcher: Watcher) -> String?
    }
    final class Delegate: WatcherDelegate { func didChange(_ watcher: Watcher) {} }

    """

  @Test("ported text without Core Data compiles here as well", arguments: ["5", "6"])
  func foundation(mode: String) throws {
    let ported = port(Self.foundation)
    #expect(ported.leftovers.isEmpty)
    #expect(port(ported.text).text == ported.text)
    let compiler = try Compiler(coreData: Self.coreData)
    #expect(try compiler.errors(in: ported.text, mode: mode) == "")
    #expect(try compiler.errors(in: Self.foundation, mode: mode) != "")
  }

  @Test(
    "the compiler checks a ported #keyPath, name for name",
    arguments: ["Note.titel", "Note.category.nam"]
  )
  func misspelt(path: String) throws {
    let ported = port(Self.source.replacing("#keyPath(Note.title)", with: "#keyPath(\(path))"))
    let errors = try Compiler(coreData: Self.coreData).errors(in: ported.text, mode: "6")
    #expect(errors.contains("has no member '\(path.split(separator: ".").last ?? "")'"), "\(errors)")
  }
}

/// Compiles sources with the toolchain's compiler.
private final class Compiler {
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  private let folder: URL

  init(coreData: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(coreData.utf8).write(to: folder.appendingPathComponent("CoreData.swift"))
    let module = folder.appendingPathComponent("CoreData.swiftmodule").path
    let errors = try run(
      "-emit-module",
      "-parse-as-library",
      "-module-name",
      "CoreData",
      "-enable-upcoming-feature",
      "InternalImportsByDefault",
      "-emit-module-path",
      module,
      folder.appendingPathComponent("CoreData.swift").path
    )
    try #require(errors == "")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The compiler's output for a file; empty if the file compiles without an error or a warning.
  func errors(in text: String, mode: String) throws -> String {
    let file = folder.appendingPathComponent("Source.swift")
    try Data(text.utf8).write(to: file)
    return try run("-typecheck", "-parse-as-library", "-swift-version", mode, "-I", folder.path, file.path)
  }

  private func run(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    process.arguments = arguments
    let output = folder.appendingPathComponent("output")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return try String(contentsOf: output, encoding: .utf8)
  }
}
