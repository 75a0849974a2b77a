import Foundation
import Seeding
import Testing

@Suite("Seeds from a stream")
struct SeedStreamTests {
  private func pipe(_ text: String) -> FileHandle {
    let pipe = Pipe()
    let data = Data(text.utf8)
    DispatchQueue.global().async {
      try? pipe.fileHandleForWriting.write(contentsOf: data)
      try? pipe.fileHandleForWriting.close()
    }
    return pipe.fileHandleForReading
  }

  @Test("a seed from a stream is read to its end, in blocks of any size, under the given name")
  func read() throws {
    let store = try TestStore(.sqlite)
    // More bytes than the buffer of a pipe.
    let padding = String(repeating: "x", count: 200)
    let rows = (0..<Seeder.manyRecords).map { "t\($0)\(padding)\n" }.joined()
    let source = SeedSource.stream(pipe("name\n" + rows), name: "tags.csv")
    let report = try Seeder(source).inPieces.runAndWait(in: store.coordinator)
    #expect(report.total.created == Seeder.manyRecords)
    #expect(report.seeds.map(\.name) == ["tags.csv"])
    // The source keeps the bytes, so it can be read again.
    #expect(try Seeder(source).inPieces.runAndWait(in: store.coordinator).total.skipped == Seeder.manyRecords)
    let again = SeedSource.stream(pipe("name\n" + rows), name: "tags.csv")
    #expect(try Seeder(again).inPieces.runAndWait(in: store.coordinator).total.skipped == Seeder.manyRecords)
  }

  @Test("a seed from a stream has a size limit, errors with its name, and no folder")
  func wrong() throws {
    let store = try TestStore()
    var source = SeedSource.stream(pipe(String(repeating: " ", count: 5000)), name: "input.json")
    source.limits.largestSize = 4000
    #expect(
      #expect(throws: SeedError.self) { try Seeder(source).runAndWait(in: store.coordinator) }?.description
        == "input.json: the stream has more than the 4000 bytes that are allowed; split it, or allow more"
    )
    let broken = SeedSource.stream(pipe("{\n\"tags\" 1}"), name: "input.json")
    let error = #expect(throws: SeedError.self) { try Seeder(broken).runAndWait(in: store.coordinator) }
    #expect(error?.description.hasPrefix("input.json:2:") == true)
    let files = SeedSource.stream(pipe(#"{"tags": [{"name": {"$file": "a"}}]}"#), name: "input.json")
    let folder = #expect(throws: SeedError.self) { try Seeder(files).runAndWait(in: store.coordinator) }
    #expect(folder?.problem.hasPrefix("a seed that comes from a stream has no folder") == true)
  }
}
