import Files
import Testing

@Suite("The folder of a path")
struct FolderOfPathTests {
  @Test(
    "The folder of a path is derived from the text alone, also for one character and unusual paths",
    arguments: [
      ("", "."), ("/", "/"), ("//", "/"), ("///", "/"),
      ("d", "."), ("d/", "."), ("d//", "."), ("é", "."), ("\n", "."), ("🌍", "."), ("👩‍👩‍👧/", "."),
      (".", "."), ("./", "."), ("..", "."), ("../", "."), (".a", "."), ("a.", "."), ("a.b", "."),
      ("a b", "."),
      ("ab", "."), ("ab/", "."),
      ("/d", "/"), ("/d/", "/"), ("//d", "/"), ("/.", "/"), ("/é//", "/"),
      ("./d", "."), ("../d", ".."), ("d/.", "d"), ("d/..", "d"), ("d/e", "d"), ("d//e", "d"), ("d/e/", "d"),
      ("d/e//", "d"), ("é/ü", "é"), ("ab/c/", "ab"), ("/d/e", "/d"), ("//d//e//", "//d"), ("a/b/c", "a/b"),
      ("a/b.sqlite", "a"), ("~/d", "~"),
    ]
  )
  func folder(_ path: String, _ folder: String) {
    #expect(FilePlacing.folder(of: path) == folder)
  }

  @Test("The folder of a path ends at a slash with a combining accent, as the system treats it")
  func accents() {
    #expect(FilePlacing.folder(of: "a/\u{301}b") == "a")
    #expect(FilePlacing.folder(of: "/\u{301}") == "/")
  }
}
