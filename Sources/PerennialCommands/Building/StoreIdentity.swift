import CoreData
import Digests
import Foundation
import Seeding

/// The identity of a built store: equal for the same model and seeds, different for any other content.
struct StoreIdentity {
  private let model: NSManagedObjectModel
  /// The sources of the store as texts, which are equal for equal content.
  private let sources: [String]

  init(model: NSManagedObjectModel, report: SeedReport) {
    self.model = model
    sources = report.seeds.flatMap { [$0.name, $0.contentHash ?? ""] }
  }

  /// - Parameter store: the identity of the store whose content the new one gets.
  init(_ model: NSManagedObjectModel, of store: String) {
    self.model = model
    sources = [store]
  }

  /// The first 128 bits of a digest, as a UUID of version 8, which RFC 9562 leaves to applications.
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

  /// Hashes the length of a part before the part, so that two lists of parts never give the same bytes.
  private func add(_ part: Data, to hash: inout SHA256) {
    withUnsafeBytes(of: UInt64(part.count).bigEndian) { hash.update(data: $0) }
    hash.update(data: part)
  }
}
