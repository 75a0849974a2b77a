import Foundation

/// Runs the Swift compiler and the tools that are part of the toolchain.
struct Toolchain {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let folder: URL

  /// - Parameter folder: the folder for all files.
  init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Makes a folder that exists while a closure runs.
  static func withTemporaryFolder<Result>(_ body: (Toolchain) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelCompilerTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(try Toolchain(folder: folder))
  }

  /// Compiles a module into one object file.
  @discardableResult
  func compile(
    _ module: String,
    _ sources: [URL],
    _ options: [String] = [],
    isProgram: Bool = false
  ) throws -> URL {
    let object = folder.appendingPathComponent("\(module).o")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try run(
      "swiftc",
      [
        "-parse-as-library", "-module-name", module, "-swift-version", "6", "-package-name", "fixtures",
        "-wmo",
        "-suppress-warnings", "-emit-module", "-emit-module-path", folder.path + "/\(module).swiftmodule",
        "-emit-object", "-o", object.path, "-I", folder.path,
      ] + options + sources.map(\.path)
    )
    return object
  }

  /// Compiles each file of a module into its own object file, as debug builds do.
  func compileApart(_ module: String, _ sources: [URL], _ options: [String] = []) throws -> [URL] {
    let objects = folder.appendingPathComponent("\(module)-objects")
    try FileManager.default.createDirectory(at: objects, withIntermediateDirectories: true)
    _ = try run(
      "swiftc",
      [
        "-parse-as-library", "-module-name", module, "-swift-version", "6", "-package-name", "fixtures",
        "-suppress-warnings", "-enable-batch-mode", "-c", "-I", folder.path,
      ] + options + sources.map(\.path),
      in: objects
    )
    return sources.map { source in
      objects.appendingPathComponent(source.deletingPathExtension().lastPathComponent + ".o")
    }
  }

  func link(_ objects: [URL]) throws -> URL {
    let program = folder.appendingPathComponent("program-\(UUID())")
    _ = try run("swiftc", ["-o", program.path] + objects.map(\.path))
    return program
  }

  /// The symbols that object files reference and do not define.
  func undefinedSymbols(of objects: [URL]) throws -> Set<String> {
    let output = try run("nm", ["-u"] + objects.map(\.path))
    return Set(output.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
  }

  /// The symbols that an object file defines.
  func definedSymbols(of object: URL) throws -> Set<String> {
    let output = try run("nm", ["--defined-only", object.path])
    return Set(output.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
  }

  func run(_ tool: String, _ arguments: [String], in directory: URL? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.currentDirectoryURL = directory
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    if process.terminationStatus == 0 { return text }
    throw Failure(description: "\(tool) ended with \(process.terminationStatus):\n\(text.prefix(20_000))")
  }
}
