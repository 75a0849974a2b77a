import Foundation

/// The model of a container that is made by its name alone.
struct ContainerModel {
  let name: String
  /// The module of the container's class.
  let module: String
  let resources: ResourceFolders
  /// The resources of the main bundle, where an installed program may have its models itself.
  let mainFolder: URL?

  /// The model of that name for a container of the running program.
  ///
  /// - Throws: ``Failure``, or the error of a model that cannot be read.
  static func model(named name: String, for containerClass: AnyClass) throws -> NSManagedObjectModel {
    let search = ContainerModel(
      name: name,
      module: String(String(reflecting: containerClass).prefix { $0 != "." }),
      resources: .ofProgram,
      mainFolder: Bundle.main.resourceURL
    )
    return try NSManagedObjectModel.load(contentsOf: search.file())
  }

  /// The file of the model: among the resources of the target that declares the container's class, of the main bundle
  /// and the program's own target, and of the other targets that the program contains, in this order.
  ///
  /// - Throws: ``Failure``.
  func file() throws(Failure) -> URL {
    let places = [
      resources.folders(ofModule: module), mainFolder.map { [$0] } ?? [], resources.own, resources.contained,
    ]
    for folders in places {
      let found = folders.compactMap { ModelLocator.model(named: name, inFolder: $0) }
      if let first = found.first, isOne(found) { return first }
      if found.count > 1 { throw .ambiguous(name: name, files: found) }
    }
    throw missing(among: places.joined())
  }

  /// Returns true when several files have the same contents, so that it does not matter which one is used.
  private func isOne(_ files: [URL]) -> Bool {
    if files.count < 2 { return true }
    let models = files.map { NSManagedObjectModel(contentsOf: $0) }
    return models.dropFirst().allSatisfy { $0 != nil && $0 == models[0] }
  }

  private func missing(among folders: some Sequence<URL>) -> Failure {
    var seen: Set<String> = []
    let folders = folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    let others = folders.flatMap(ModelLocator.models(inFolder:)).map { $0.deletingPathExtension().lastPathComponent }
    let foreign = resources.all.filter { !seen.contains($0.standardizedFileURL.path) }
    return .missing(
      name: name,
      folders: folders,
      others: Set(others).sorted(),
      foreign: foreign.compactMap { ModelLocator.model(named: name, inFolder: $0) }
    )
  }

  /// The reason why a name leads to no model.
  enum Failure: Error, CustomStringConvertible {
    /// - Parameters:
    ///   - others: the names of the models that are in the folders.
    ///   - foreign: the files of that name among the resources of targets that the program does not contain.
    case missing(name: String, folders: [URL], others: [String], foreign: [URL])
    case ambiguous(name: String, files: [URL])

    var description: String {
      switch self {
      case .missing(let name, let folders, let others, let foreign):
        let places = folders.isEmpty ? "" : " in \(Self.list(folders.map(\.path)))"
        let models = others.isEmpty ? "" : ", which have \(Self.list(others))"
        let passedOver =
          foreign.isEmpty
          ? "" : "; the program does not contain the target of \(Self.list(foreign.map(\.path)))"
        return """
          no model named \(name) is among the program's resources\(places)\(models)\(passedOver); add \
          \(name).xcdatamodeld to the target, or use init(name:managedObjectModel:).
          """
      case .ambiguous(let name, let files):
        return """
          different models named \(name) are among the program's resources: \(Self.list(files.map(\.path))); use \
          init(name:managedObjectModel:), or a subclass of the container in the target of the model.
          """
      }
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
  }
}
