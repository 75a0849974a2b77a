/// The imports of the generated file: those of the files that it is made from.
struct ImportList {
  private struct Entry {
    var conditions: Set<[String]> = []
    var isTestable = false
  }

  private var entries: [String: Entry] = [:]
  private let publicModules: Set<String>
  /// The words that the target's files have in front of their imports, by module.
  private var words: [String: Set<String>] = [:]

  /// - Parameters:
  ///   - module: the target, all of whose files are compiled with the generated one.
  ///   - files: the files whose imports are repeated.
  ///   - publicModules: the modules of the types that public declarations show.
  init(module: SourceModule, files: [SourceFile], publicModules: Set<String>) throws {
    self.publicModules = publicModules
    for file in try module.files.get() { words.merge(file.importWords) { $0.union($1) } }
    for name in ["Foundation", "CoreData"] { entries[name] = Entry(conditions: [[]]) }
    for written in files.flatMap(\.contents.imports) where written.module != module.name {
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

  /// The word in front of an import. A public import goes with imports of any kind in other files,
  /// but warns where nothing public needs it; imports without a word and narrowed ones do not go
  /// together.
  private func access(of module: String) -> String? {
    if publicModules.contains(module) { return "public" }
    let others = words[module] ?? []
    if others.isSubset(of: ["", "public"]) { return others == ["public"] ? "internal" : nil }
    return "internal"
  }
}

/// Names that both Foundation and CoreData have on Linux: the target's own alias says which is
/// meant.
struct AmbiguousNames {
  let texts: [String]
  let publicModules: Set<String>

  /// The classes that take the place of those that are of no use in Foundation here, where they
  /// have another name.
  private static let ours = ["NSCompoundPredicate": "CompoundPredicate"]

  /// - Parameter propertyTypes: the types of the properties with `@NSManaged`, as they are written.
  ///   Accessors are written for Foundation's class, which a property of that type then has to be
  ///   of.
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
