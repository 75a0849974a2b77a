/// Names that both Foundation and CoreData have on Linux: the target's own alias says which is meant.
struct AmbiguousNames {
  let texts: [String]
  let publicModules: Set<String>

  /// What takes the place of a class that is of no use in Foundation here, where it has another name.
  private static let ours = ["NSCompoundPredicate": "CompoundPredicate"]

  init(in module: SourceModule) throws {
    let files = try module.files.get()
    let mentioned = files.reduce(into: Set<String>()) { $0.formUnion($1.ambiguousNames) }
    let declared = files.reduce(into: Set<String>()) { $0.formUnion($1.declaredNames) }
    var names = mentioned.subtracting(declared)
    // Accessors are written for Foundation's class, which a property of that type then has to be of.
    let mayBeProperty = files.contains { file in
      file.managedCount > 0 && Self.ours.keys.contains(where: file.ambiguousNames.contains)
    }
    if mayBeProperty { names.subtract(Self.ours.keys) }
    texts = names.sorted().map { "public typealias \($0) = CoreData.\(Self.ours[$0] ?? $0)" }
    publicModules = names.isEmpty ? [] : ["CoreData"]
  }
}
