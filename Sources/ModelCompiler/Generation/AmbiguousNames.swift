/// Names that both Foundation and CoreData have on Linux: the target's own alias says which is meant.
struct AmbiguousNames {
  let texts: [String]
  let publicModules: Set<String>

  /// What takes the place of a class that is of no use in Foundation here, where it has another name.
  private static let ours = ["NSCompoundPredicate": "CompoundPredicate"]

  /// - Parameter propertyTypes: the types of the properties with `@NSManaged`, as they are written. Accessors are written for
  ///   Foundation's class, which a property of that type then has to be of.
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
