public import Foundation

/// Names a version of a model that a staged migration passes through, and finds it when it is needed.
///
/// Apple's documentation of `NSManagedObjectModelReference`.
///
/// ```swift
/// let version = NSManagedObjectModelReference(model: oldModel, versionChecksum: oldModel.versionChecksum)
/// print(version.resolvedModel.entitiesByName.keys)  // ["Note"]
/// ```
// Immutable, and so are the models that it leads to, once they are in use.
open class NSManagedObjectModelReference: NSObject, @unchecked Sendable {
  private enum Place {
    case model(NSManagedObjectModel)
    case file(URL)
    case hashes([AnyHashable: Any], Bundle?)
    case name(String, Bundle?)
  }

  /// The checksum of the version, as ``NSManagedObjectModel/versionChecksum`` has it.
  public final let versionChecksum: String

  private final let place: Place

  private init(place: Place, versionChecksum: String) {
    self.place = place
    self.versionChecksum = versionChecksum
    super.init()
  }

  /// Refers to a model that is already in memory.
  public convenience init(model: NSManagedObjectModel, versionChecksum: String) {
    self.init(place: .model(model), versionChecksum: versionChecksum)
  }

  /// Refers to a model in a file: a `.mom`, an `.xcdatamodel`, or the current version of a package.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(place: .file(fileURL), versionChecksum: versionChecksum)
  }

  /// Refers to the model in a bundle whose entities have some version hashes.
  ///
  /// - Parameters:
  ///   - versionHash: the version hash of each entity (`Data`), by name.
  ///   - bundle: the bundle of the model; `nil` for the main bundle.
  ///   - versionChecksum: the checksum of the version, as ``NSManagedObjectModel/versionChecksum`` has it.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any],
    in bundle: Bundle?,
    versionChecksum: String
  ) {
    self.init(place: .hashes(versionHash, bundle), versionChecksum: versionChecksum)
  }

  /// Refers to a version of a model in a bundle, by the version's name without its extension.
  public convenience init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    self.init(place: .name(modelName, bundle), versionChecksum: versionChecksum)
  }

  /// The model. A reference that leads to none, or to one with another checksum, stops the program
  /// (Apple raises an exception); in a migration it is an error.
  open var resolvedModel: NSManagedObjectModel {
    do {
      return try resolve()
    } catch {
      fatalError(error.localizedDescription)
    }
  }

  /// - Throws: `NSManagedObjectModelReferenceNotFoundError`.
  final func resolve() throws -> NSManagedObjectModel {
    guard let model = try find() else { throw failure("there is no such model") }
    guard model.versionChecksum == versionChecksum else {
      throw failure("the model has the checksum \(model.versionChecksum), not \(versionChecksum)")
    }
    return model
  }

  private final func find() throws -> NSManagedObjectModel? {
    switch place {
    case .model(let model): return model
    case .file(let url):
      do {
        return try NSManagedObjectModel.load(contentsOf: url)
      } catch {
        throw failure(error.localizedDescription)
      }
    case .hashes(let hashes, let bundle):
      return ModelVersions.all(in: bundle).first { model in
        let own = model.entityVersionHashesByName
        return own.count == hashes.count && own.allSatisfy { hashes[$0.key] as? Data == $0.value }
      }
    case .name(let name, let bundle): return ModelVersions.named(name, in: bundle, withChecksum: versionChecksum)
    }
  }

  private final func failure(_ problem: String) -> any Error {
    let subject =
      switch place {
      case .model: "a model"
      case .file(let url): url.path
      case .hashes: "a model with the version hashes of \(versionChecksum)"
      case .name(let name, _): "the model \(name)"
      }
    return CocoaError.coreData(
      NSManagedObjectModelReferenceNotFoundError,
      message: "the reference to \(subject) cannot be resolved: \(problem)."
    )
  }

  open override var description: String { ObjectHead.text(self, [("versionChecksum", versionChecksum)]) }
}

/// All versions of the models in bundles.
enum ModelVersions {
  static func all(in bundle: Bundle?) -> [NSManagedObjectModel] {
    ModelLocator.models(in: bundle.map { [$0] }).flatMap(NSManagedObjectModel.allVersions)
  }

  /// The version with the given name, without its extension. If several models have a version of
  /// that name, the one with the checksum is returned.
  static func named(_ name: String, in bundle: Bundle?, withChecksum checksum: String) -> NSManagedObjectModel? {
    let files = ModelLocator.models(in: bundle.map { [$0] }).flatMap(NSManagedObjectModel.versionFiles)
    let versions = files.filter { $0.deletingPathExtension().lastPathComponent == name }
      .compactMap { NSManagedObjectModel(contentsOf: $0) }
    return versions.first { $0.versionChecksum == checksum } ?? versions.first
  }

  static func withChecksum(_ checksum: String, in bundle: Bundle?) -> NSManagedObjectModel? {
    all(in: bundle).first { $0.versionChecksum == checksum }
  }
}
