import CoreData
import Digests
import Foundation
import Seeding

/// The identity of a built store: the same for the same model and seeds, another for others.
struct StoreIdentity {
  private let model: NSManagedObjectModel
  private let report: SeedReport

  init(_ model: NSManagedObjectModel, _ report: SeedReport) {
    self.model = model
    self.report = report
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
    for seed in report.seeds {
      add(Data(seed.name.utf8), to: &hash)
      add(Data((seed.contentHash ?? "").utf8), to: &hash)
    }
    return hash.finalize()
  }

  /// With its length ahead, so that no two lists of parts run together into the same bytes.
  private func add(_ part: Data, to hash: inout SHA256) {
    withUnsafeBytes(of: UInt64(part.count).bigEndian) { hash.update(data: $0) }
    hash.update(data: part)
  }
}
