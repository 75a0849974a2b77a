import Foundation
import Seeding

/// A seed in JSON Lines: the header on a line of its own, then a line for each record.
struct JSONLinesSeedText: SeedText {
  func data(of seed: DumpedSeed, namedAfter entity: String?) throws -> Data {
    var text = ""
    let header = seed.header
    if !header.isEmpty {
      text += try SeedJSON.text(
        .fields(Dictionary(uniqueKeysWithValues: header.map { ($0.key, $0.value) }))
      )
      text += "\n"
    }
    for (name, records) in seed.entities {
      for record in records {
        var fields = record.fields
        if name != entity { fields["$entity"] = .text(name) }
        text += try SeedJSON.text(.fields(fields))
        text += "\n"
      }
    }
    return Data(text.utf8)
  }
}
