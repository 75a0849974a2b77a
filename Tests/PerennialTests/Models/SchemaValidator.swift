import Foundation

/// Python's `jsonschema`, which checks values by a JSON Schema; nil if it is not installed.
struct SchemaValidator {
  private static let script = """
    import json, sys
    from jsonschema import Draft7Validator
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    for line in open(sys.argv[2], encoding="utf-8"):
        errors = sorted(validator.iter_errors(json.loads(line)), key=lambda error: list(map(str, error.absolute_path)))
        print(json.dumps([[str(part) for part in errors[0].absolute_path], errors[0].message] if errors else None))
    """

  private static let python: String? = ["python3", "/usr/bin/python3"].first { name in
    (try? run(name, ["-c", "import jsonschema"]))?.status == 0
  }

  static var isThere: Bool { python != nil }

  /// The error for each seed, which is a JSON text; nil for a valid one.
  static func problems(of seeds: [String], by schema: String) throws -> [String?] {
    guard let python else { return [] }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (schemaFile, seedsFile) = (
      folder.appendingPathComponent("s.json"), folder.appendingPathComponent("seeds")
    )
    try Data(schema.utf8).write(to: schemaFile)
    // A line end in valid JSON is only white space.
    let lines = seeds.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    try Data(lines.joined(separator: "\n").utf8).write(to: seedsFile)
    let outcome = try run(python, ["-c", script, schemaFile.path, seedsFile.path])
    guard outcome.status == 0 else {
      throw CocoaError(.featureUnsupported, userInfo: ["output": outcome.output])
    }
    return outcome.output.split(separator: "\n").map { $0 == "null" ? nil : String($0) }
  }

  private static func run(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: file, encoding: .utf8))
  }
}
