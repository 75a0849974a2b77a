import CoreData
import Digests
import Foundation
import Seeding

/// The identity of a built store: the same for the same model and seeds, another for others.
struct StoreIdentity {
  private let model: NSManagedObjectModel
  /// What the store is made of, in words that are the same for the same content.
  private let sources: [String]

  init(model: NSManagedObjectModel, report: SeedReport) {
    self.model = model
    sources = report.seeds.flatMap { [$0.name, $0.contentHash ?? ""] }
  }

  /// - Parameter store: the identity of the store that the new one is made of.
  init(_ model: NSManagedObjectModel, of store: String) {
    self.model = model
    sources = [store]
  }

  /// The first bits of a digest, as a UUID of version 8, which RFC 9562 leaves to applications.
  var uuid: UUID {
    var bytes = Array(digest.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private var digest: [UInt8] {
    var hash = SHA256()
    for (name, version) in model.entityVersionHashesByName.sorted(by: { $0.key < $1.key }) {
      add(Data(name.utf8), to: &hash)
      add(version, to: &hash)
    }
    for source in sources { add(Data(source.utf8), to: &hash) }
    return hash.finalize()
  }

  /// With its length ahead, so that no two lists of parts run together into the same bytes.
  private func add(_ part: Data, to hash: inout SHA256) {
    withUnsafeBytes(of: UInt64(part.count).bigEndian) { hash.update(data: $0) }
    hash.update(data: part)
  }
}
