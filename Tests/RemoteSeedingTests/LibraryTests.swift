import CLoadedLibraries
import Foundation
import RemoteSeeding
import Seeding
import TestSupport
import Testing

@Suite("Libraries that are loaded when a seed is fetched")
struct LibraryTests {
  private static let url = URL(string: "http://127.0.0.1:1/seed.json")

  @Test("without libcurl, the error names the package to install, and nothing is retried")
  func noCurl() throws {
    let url = try #require(Self.url)
    let error = try #require(
      try TagStore().failure(url) { $0.transfer.curlFiles = ["libperennial-1.so", "libperennial-2.so"] }
    )
    #expect(error.code == .notFetched)
    #expect(
      error.description == """
        http://127.0.0.1:1/seed.json: libcurl, which fetches seeds, is not installed; install it: apt-get install \
        libcurl4, or dnf install libcurl; version 7.68 or later
        """
    )
  }

  @Test("without libcurl, the fallback is imported")
  func fallback() throws {
    let store = try TagStore()
    let old = SeedSource.data(Data(#"{"tags": [{"name": "Old"}]}"#.utf8), name: "bundled.json")
    let report = try store.seed(try #require(Self.url), fallback: old) { options in
      options.transfer.curlFiles = ["libperennial-1.so"]
    }
    #expect(try store.tags() == ["Old -"])
    #expect(report.seeds.first?.fetchFailure?.contains("libcurl") == true)
  }

  @Test("a library without a function, and a file that is not a library, are named with the reason")
  func otherLibraries() throws {
    let folder = try TestFolder()
    let text = try folder.write("libtext.so", "no library")
    for (file, words) in [
      (
        "libm.so.6",
        "libcurl, which fetches seeds, cannot be loaded: libm.so.6 has no function curl_global_init"
      ),
      (text.path, "libcurl, which fetches seeds, cannot be loaded: \(text.path): "),
    ] {
      let url = try #require(Self.url)
      let error = try #require(try TagStore().failure(url) { $0.transfer.curlFiles = [file] })
      #expect(error.problem.hasPrefix(words), "\(error.problem)")
    }
  }

  @Test("without libcrypto, a signed seed is an error before the server is asked, even if a fallback exists")
  func noCrypto() throws {
    let server = try TestServer.start { _, _ in .init(TagStore.news) }
    let store = try TagStore()
    let old = SeedSource.data(Data(#"{"tags": [{"name": "Old"}]}"#.utf8), name: "bundled.json")
    let error = #expect(throws: SeedError.self) {
      try store.seed(server.url("/seed.json"), fallback: old) { options in
        options.transfer.cryptoFiles = ["libperennial-1.so"]
        options.verification = .ed25519(publicKey: Data(count: 32))
      }
    }
    #expect(error?.code == .notVerified)
    #expect(error?.problem == "libcrypto, which checks signatures, is not installed")
    #expect(error?.remedy == "install it: apt-get install libssl3, or dnf install openssl-libs")
    #expect(server.requests.isEmpty)
  }

  @Test("the numbers of libcurl's options equal those of the library")
  func numbers() throws {
    var library = dlopen("libcurl.so.4", RTLD_NOW)
    for file in ["libcurl-gnutls.so.4", "libcurl.4.dylib"] where library == nil {
      library = dlopen(file, RTLD_NOW)
    }
    try #require(library != nil)
    // libcurl has this function since 7.73: https://curl.se/libcurl/c/curl_easy_option_by_name.html.
    typealias Find = @convention(c) (UnsafePointer<CChar>) -> UnsafeRawPointer?
    let address = try #require(dlsym(library, "curl_easy_option_by_name"))
    let find = unsafeBitCast(address, to: Find.self)
    // A curl_easyoption begins with the pointer to the name, followed by the number.
    func number(_ name: String) -> Int32? {
      find(name)?.load(fromByteOffset: MemoryLayout<UnsafeRawPointer>.size, as: Int32.self)
    }
    for (name, option) in [
      ("SSLVERSION", PERENNIAL_CURL_SSLVERSION), ("FOLLOWLOCATION", PERENNIAL_CURL_FOLLOWLOCATION),
      ("SSL_VERIFYPEER", PERENNIAL_CURL_SSL_VERIFYPEER), ("SSL_VERIFYHOST", PERENNIAL_CURL_SSL_VERIFYHOST),
      ("NOSIGNAL", PERENNIAL_CURL_NOSIGNAL), ("CONNECTTIMEOUT_MS", PERENNIAL_CURL_CONNECTTIMEOUT_MS),
      ("PROTOCOLS", PERENNIAL_CURL_PROTOCOLS), ("HTTP09_ALLOWED", PERENNIAL_CURL_HTTP09_ALLOWED),
      ("SUPPRESS_CONNECT_HEADERS", PERENNIAL_CURL_SUPPRESS_CONNECT_HEADERS),
      ("WRITEDATA", PERENNIAL_CURL_WRITEDATA), ("URL", PERENNIAL_CURL_URL), ("PROXY", PERENNIAL_CURL_PROXY),
      ("ERRORBUFFER", PERENNIAL_CURL_ERRORBUFFER), ("HTTPHEADER", PERENNIAL_CURL_HTTPHEADER),
      ("HEADERDATA", PERENNIAL_CURL_HEADERDATA), ("CAINFO", PERENNIAL_CURL_CAINFO),
      ("CAPATH", PERENNIAL_CURL_CAPATH), ("PROXY_CAINFO", PERENNIAL_CURL_PROXY_CAINFO),
      ("PROXY_CAPATH", PERENNIAL_CURL_PROXY_CAPATH), ("WRITEFUNCTION", PERENNIAL_CURL_WRITEFUNCTION),
      ("HEADERFUNCTION", PERENNIAL_CURL_HEADERFUNCTION),
    ] {
      #expect(number(name) == Int32(bitPattern: option.rawValue), "\(name)")
    }
    // libcurl has this option since 7.87.
    if let number = number("QUICK_EXIT") {
      #expect(number == Int32(bitPattern: PERENNIAL_CURL_QUICK_EXIT.rawValue))
    }
  }
}
