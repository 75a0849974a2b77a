import Foundation
import NIOHTTP1
import RemoteSeeding
import Seeding
import TestSupport
import Testing

@Suite("Seed files that are verified")
struct FileVerificationTests {
  private let key = SigningKey()

  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ name: String, _ data: Data) throws -> URL {
      let file = url.appendingPathComponent(name)
      try data.write(to: file)
      return file
    }
  }

  private func seed(_ store: TagStore, _ url: URL, _ verification: SeedVerification) throws -> SeedReport {
    try Seeder(.file(url, verification: verification)).runAndWait(in: store.coordinator)
  }

  private var verification: SeedVerification { .ed25519(publicKey: key.publicKey) }

  @Test("a seed file is accepted with its signature next to it, and a folder if each file is signed")
  func signed() throws {
    let folder = try Folder()
    let bytes = Data(TagStore.news.utf8)
    let file = try folder.write("seed.json", bytes)
    _ = try folder.write("seed.json.sig", Data(key.signature(for: bytes).base64EncodedString().utf8))
    let store = try TagStore()
    #expect(try seed(store, file, verification).total.created == 1)
    #expect(try store.tags() == ["News red"])
    #expect(try seed(try TagStore(), folder.url, verification).total.created == 1)
    _ = try folder.write("more.json", bytes)
    let error = #expect(throws: SeedError.self) { try seed(try TagStore(), folder.url, verification) }
    #expect(error?.code == .unreadableFile)
    #expect(error?.position?.file.hasSuffix("more.json.sig") == true)
    #expect(error?.problem == "there is no such file")
  }

  @Test("a seed file that was changed or signed by another key is not read", arguments: 0..<3)
  func tampered(kind: Int) throws {
    let folder = try Folder()
    let bytes = Data(TagStore.news.utf8)
    let file = try folder.write("seed.json", kind == 0 ? bytes + Data(" ".utf8) : bytes)
    let signer = kind == 1 ? SigningKey() : key
    let signature = kind == 2 ? Data("none".utf8) : signer.signature(for: bytes)
    _ = try folder.write("seed.json.sig", signature)
    let store = try TagStore()
    let error = #expect(throws: SeedError.self) { try seed(store, file, verification) }
    #expect(error?.code == .notVerified)
    #expect(try store.tags() == [])
  }

  @Test("a seed file must have the given checksum")
  func checksum() throws {
    let folder = try Folder()
    let bytes = Data(TagStore.news.utf8)
    let file = try folder.write("seed.json", bytes)
    let digits = Checksum.of(TagStore.news)
    #expect(try seed(try TagStore(), file, .sha256(digits)).total.created == 1)
    let wrong = String(repeating: "0", count: 64)
    let error = #expect(throws: SeedError.self) { try seed(try TagStore(), file, .sha256(wrong)) }
    #expect(error?.code == .notVerified)
    #expect(error?.problem == "the seed's SHA-256 is \(digits), and \(wrong) was expected")
  }

  @Test(
    "a remote seed with a wrong signature is an error, even if a fallback exists"
  )
  func fallback() throws {
    let server = try TestServer.start { request, _ in
      request.uri.hasSuffix(".sig") ? .init(String(repeating: "0", count: 128)) : .init(TagStore.news)
    }
    let fallback = SeedSource.data(Data(#"{"tags": [{"name": "Old"}]}"#.utf8), name: "bundled.json")
    var options = RemoteSeedOptions()
    options.verification = verification
    let store = try TagStore()
    let source = SeedSource.url(server.url("/seed.json"), options: options, fallback: fallback)
    let error = #expect(throws: SeedError.self) { try Seeder(source).runAndWait(in: store.coordinator) }
    #expect(error?.code == .notVerified)
    #expect(try store.tags() == [])
  }
}
