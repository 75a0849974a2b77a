import Files
import Foundation
import Testing

@Suite("Writing a file")
struct FileOutputTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func place(_ name: String) -> URL { folder.appendingPathComponent(name) }
  private func text(_ name: String) throws -> String { try String(contentsOf: place(name), encoding: .utf8) }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("Writing replaces a file as a whole, and keeps its permissions")
  func regular() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileOutput.write(Data("one".utf8), to: place("file"))
    #expect(chmod(place("file").path, 0o640) == 0)
    let output = try FileOutput(place("file"))
    try output.write(Data("two".utf8))
    #expect(try text("file") == "one")
    try output.finish()
    #expect(try text("file") == "two")
    let mode = try FileManager.default.attributesOfItem(atPath: place("file").path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o640)
    #expect(try names == ["file"])
  }

  @Test("Writing to a new path does not overwrite a file that was created there meanwhile")
  func placeTaken() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (first, second) = (try FileOutput(place("file")), try FileOutput(place("file")))
    try first.write(Data("first".utf8))
    try second.write(Data("second".utf8))
    #expect(try first.finishIfAbsent())
    #expect(try !second.finishIfAbsent())
    second.discard()
    #expect(try text("file") == "first")
    #expect(try names == ["file"])
  }

  @Test("A failed write leaves the old file and no temporary file")
  func discarded() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileOutput.write(Data("one".utf8), to: place("file"))
    do {
      let output = try FileOutput(place("file"))
      try output.write(Data("half".utf8))
    }
    #expect(try text("file") == "one")
    #expect(try names == ["file"])
  }

  @Test("Writing follows links, also to a missing file, and keeps the links")
  func links() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileOutput.write(Data("one".utf8), to: place("file"))
    for (link, target) in [("near", "file"), ("far", place("new").path), ("twice", "near")] {
      try FileManager.default.createSymbolicLink(atPath: place(link).path, withDestinationPath: target)
      try FileOutput.write(Data(link.utf8), to: place(link))
      #expect(FileKind(at: place(link).path) == .link)
    }
    #expect(try [text("file"), text("new")] == ["twice", "far"])
    try FileManager.default.createSymbolicLink(atPath: place("a").path, withDestinationPath: "b")
    try FileManager.default.createSymbolicLink(atPath: place("b").path, withDestinationPath: "a")
    #expect(throws: FileFailure.self) { try FileOutput.write(Data(), to: place("a")) }
  }

  @Test("Writing to a pipe keeps the pipe")
  func pipe() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = place("pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    // A pipe that is open for reading and writing does not block: it buffers some bytes before they are read.
    let reader = open(path, O_RDWR)
    defer { close(reader) }
    try FileOutput.write(Data("through".utf8), to: place("pipe"))
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(reader, &bytes, bytes.count)
    #expect(Data(bytes.prefix(max(0, count))) == Data("through".utf8))
    #expect(FileKind(at: path) == .pipe)
  }

  @Test("Writing to a device keeps the device", .enabled(if: geteuid() == 0, "only root makes devices"))
  func device() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = place("null").path
    guard mknod(path, S_IFCHR | 0o666, dev_t(1 << 8 | 3)) == 0 else { return }
    _ = try? FileOutput.write(Data("gone".utf8), to: place("null"))
    #expect(FileKind(at: path) == .device)
    #expect(throws: FileFailure.self) { try FilePlacing.removeFile(path) }
    #expect(FileKind(at: path) == .device)
  }

  @Test("a folder cannot be overwritten by a file")
  func folders() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: FileFailure.self) { try FileOutput.write(Data(), to: folder) }
    #expect(throws: FileFailure.self) { try FilePlacing.removeFile(folder.path) }
    #expect(try names.isEmpty)
  }

  @Test(
    "a file whose rename may not be durable is removed again",
    .enabled(if: geteuid() != 0, "root may read every folder")
  )
  func notSynchronized() throws {
    let manager = FileManager.default
    defer {
      try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
      try? manager.removeItem(at: folder)
    }
    try FileOutput.write(Data("one".utf8), to: place("one"))
    // The folder permits new names, but it cannot be opened to be synchronised.
    try manager.setAttributes([.posixPermissions: 0o300], ofItemAtPath: folder.path)
    #expect(throws: FileFailure.self) {
      _ = try FilePlacing.putIfAbsent(place("one").path, at: place("other").path)
    }
    try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(try names == ["one"])
  }

  @Test("a failure is an error of Foundation's domain, with the path and the system's number")
  func domain() {
    let failure = #expect(throws: FileFailure.self) {
      try FilePlacing.synchronizeFile("/nowhere/at/all")
    }
    let error = failure as NSError?
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == CocoaError.fileNoSuchFile.rawValue)
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == "/nowhere/at/all")
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(cause?.domain == NSPOSIXErrorDomain && cause?.code == Int(ENOENT))
    #expect(error?.localizedDescription.contains("/nowhere/at/all") == true)
  }

  @Test("Of several files that are placed at a free path, the first one stays")
  func absent() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["one", "two"] { try FileOutput.write(Data(name.utf8), to: place(name)) }
    #expect(try FilePlacing.putIfAbsent(place("one").path, at: place("place").path))
    #expect(try !FilePlacing.putIfAbsent(place("two").path, at: place("place").path))
    #expect(try text("place") == "one")
    #expect(try names == ["place", "two"])
  }
}
