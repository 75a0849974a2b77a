import Foundation

/// Looks for faults in a store, and repairs those that can be repaired safely.
package protocol StoreCheck {
  /// Looks for what is wrong with the store.
  ///
  /// - Returns: the findings, the gravest first.
  func findings() throws -> [StoreFinding]

  /// Finds content that is valid here, but may be a problem for other programs.
  func notes() throws -> [StoreNote]

  /// Makes the safe repairs in one transaction, after copying the store.
  ///
  /// - Parameter copy: the place of the copy, which must be empty.
  /// - Returns: true when the store was copied and repaired.
  @discardableResult
  func repair(copyingTo copy: URL) throws -> Bool
}

extension StoreCheck {
  package func notes() throws -> [StoreNote] { [] }

  /// The findings about the metadata of a store.
  ///
  /// - Parameters:
  ///   - table: the table that has them.
  ///   - isReduced: true when the model was derived from the tables, and has no version of its own.
  package func metadataFindings(
    _ metadata: StoreMetadata,
    model: NSManagedObjectModel,
    table: String,
    isReduced: Bool = false
  ) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    let differences = StoreMetadata.differences(metadata.properties, model: model, entities: model.entities)
    if !differences.isEmpty, !isReduced {
      findings.append(
        StoreFinding(
          kind: .versionHashes,
          problem: "the store was made with another model (\(differences.joined(separator: "; ")))",
          remedy: "check with the model that it was made with, or migrate the store"
        )
      )
    }
    if UUID(uuidString: metadata.uuid) == nil {
      findings.append(
        StoreFinding(
          kind: .metadata,
          problem: "\(table): the store's identity \"\(metadata.uuid)\" is not a UUID",
          remedy: "give it a new one; addresses of objects that were kept elsewhere are lost"
        )
      )
    }
    if metadata.withDigests().properties as NSDictionary != metadata.properties as NSDictionary {
      findings.append(
        StoreFinding(
          kind: .metadata,
          problem: "\(table): the digest of the version hashes is not theirs",
          remedy: "compute it anew",
          repair: .metadata
        )
      )
    }
    return findings
  }
}
