import CoreData
import Foundation

extension CoreStoreError {
  /// The error that was bridged to an NSError. Without Objective-C the NSError does not contain it.
  init(bridged error: NSError) {
    func value<Value>(_ key: String) -> Value? { error.userInfo[key] as? Value }
    let url: URL? = value("localStoreURL")
    switch (CoreStoreErrorCode(rawValue: error.code), url) {
    case (.differentStorageExistsAtURL, _):
      self =
        value("existingPersistentStoreURL").map {
          .differentStorageExistsAtURL(existingPersistentStoreURL: $0)
        } ?? .unknown
    case (.mappingModelNotFound, let url?):
      let model: NSManagedObjectModel? = value("targetModel")
      self = .mappingModelNotFound(
        localStoreURL: url,
        targetModel: model ?? NSManagedObjectModel(),
        targetModelVersion: value("targetModelVersion") ?? ""
      )
    case (.progressiveMigrationRequired, let url?): self = .progressiveMigrationRequired(localStoreURL: url)
    case (.asynchronousMigrationRequired, let url?):
      self =
        value("NSError").map { .asynchronousMigrationRequired(localStoreURL: url, NSError: $0) } ?? .unknown
    case (.internalError, _): self = value("NSError").map { .internalError(NSError: $0) } ?? .unknown
    case (.userError, _): self = value("Error").map { .userError(error: $0) } ?? .unknown
    case (.userCancelled, _): self = .userCancelled
    case (.persistentStoreNotFound, _):
      self = value("entity").map { .persistentStoreNotFound(entity: $0) } ?? .unknown
    default: self = .unknown
    }
  }
}
