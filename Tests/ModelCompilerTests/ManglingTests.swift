import Testing

@testable import ModelCompiler

@Suite("Parts of symbols")
struct ManglingTests {
  @Test("the file of a private declaration is the MD5 digest of module and file name")
  func discriminators() {
    let one = FileDiscriminator.make(module: "a", file: "/some/where/user.swift")
    #expect(one == "_CCE9725C14E2AB17275038BC2ED8AA04")
    // The digests of RFC 1321.
    #expect(FileDiscriminator.make(module: "", file: "") == "_D41D8CD98F00B204E9800998ECF8427E")
    #expect(FileDiscriminator.make(module: "message ", file: "digest") == "_F96B697D7CB7938D525A2F31AAF161D0")
    let digits = String(repeating: "1234567890", count: 8)
    #expect(FileDiscriminator.make(module: digits, file: "") == "_57EDF4A22BE3C955AC49DA2E2107B67A")
  }

  @Test("letters other than ASCII's are written in Punycode")
  func punycode() {
    #expect(Punycode.encode("vergüenza".unicodeScalars.map(\.value)) == "vergenza_JFa")
    #expect(Punycode.encode("ünï".unicodeScalars.map(\.value)) == "n_ngaBb")
  }

  @Test("words that occurred before are substituted")
  func words() {
    var symbol = SymbolText(prefix: "")
    for name in ["AbcDefGHI", "MyAbcGHI_Def", "AbcDefGHI", "_aAbcGHI_2x"] { symbol.appendIdentifier(name) }
    #expect(symbol.text == "9AbcDefGHI02Myac1_B0AA02_aaC3_2x")
  }
}
