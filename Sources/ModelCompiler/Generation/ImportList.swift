/// The imports of the generated file: those of the files for which it is generated.
///
/// Foundation is not among them, because CoreData exports it. The compiler attributes a type that both modules offer to one of
/// the imports only, and would warn that a public import of the other is not used.
struct ImportList {
  private struct Entry {
    var conditions: Set<[String]> = []
    var isTestable = false
  }

  private var entries: [String: Entry] = [:]
  private let publicModules: Set<String>
  private static let foundation = "Foundation"
  /// The access levels before the imports of the target's files, by module.
  private var words: [String: Set<String>] = [:]

  /// - Parameters:
  ///   - module: the target whose files are compiled together with the generated one.
  ///   - files: the files whose imports are repeated.
  ///   - publicModules: the modules whose types public declarations use.
  init(module: SourceModule, files: [SourceFile], publicModules: Set<String>) throws {
    self.publicModules =
      publicModules.contains(Self.foundation) ? publicModules.union(["CoreData"]) : publicModules
    for file in try module.files.get() { words.merge(file.importWords) { $0.union($1) } }
    entries["CoreData"] = Entry(conditions: [[]])
    for written in files.flatMap(\.contents.imports)
    where written.module != module.name && written.module != Self.foundation {
      entries[written.module, default: Entry()].conditions.insert(written.conditions)
      if written.isTestable { entries[written.module]?.isTestable = true }
    }
  }

  var text: String {
    entries.sorted { $0.key < $1.key }.map { text(of: $0.key, entry: $0.value) }.joined(separator: "\n")
  }

  private func text(of module: String, entry: Entry) -> String {
    let parts = [entry.isTestable ? "@testable" : nil, access(of: module), "import", module]
    let line = parts.compactMap { $0 }.joined(separator: " ")
    if entry.conditions.contains([]) { return line }
    let alternatives = entry.conditions.map(GeneratedExtension.conjunction).sorted()
    let condition =
      alternatives.count == 1 ? alternatives[0] : alternatives.map { "(\($0))" }.joined(separator: " || ")
    return "#if \(condition)\n\(line)\n#endif"
  }

  /// The access level before an import. A public import is compatible with every import in other files,
  /// but gives a warning if no public declaration needs it. The compiler refuses to mix imports without an
  /// access level and imports with a narrower one.
  private func access(of module: String) -> String? {
    if publicModules.contains(module) { return "public" }
    let others = words[module] ?? []
    if others.isSubset(of: ["", "public"]) { return others == ["public"] ? "internal" : nil }
    return "internal"
  }
}

/// The names that both Foundation and CoreData declare on Linux. An alias in the target selects CoreData's.
struct AmbiguousNames {
  let texts: [String]
  let publicModules: Set<String>

  /// The classes that replace an unusable class of Foundation on Linux, and which have another name.
  private static let ours = ["NSCompoundPredicate": "CompoundPredicate"]

  /// - Parameter propertyTypes: the types of the properties with `@NSManaged`, as the sources write them. The accessors of such
  ///   a property use Foundation's class, so its type must not become an alias.
  init(in module: SourceModule, propertyTypes: [String]) throws {
    let files = try module.files.get()
    let mentioned = files.reduce(into: Set<String>()) { $0.formUnion($1.ambiguousNames) }
    let declared = files.reduce(into: Set<String>()) { $0.formUnion($1.declaredNames) }
    var names = mentioned.subtracting(declared)
    let ofProperties = propertyTypes.reduce(into: Set<String>()) { names, type in
      names.formUnion(NameScanner(Array(type.utf8)).ambiguousNames)
    }
    names.subtract(ofProperties.intersection(Self.ours.keys))
    texts = names.sorted().map { "public typealias \($0) = CoreData.\(Self.ours[$0] ?? $0)" }
    publicModules = names.isEmpty ? [] : ["CoreData"]
  }
}
