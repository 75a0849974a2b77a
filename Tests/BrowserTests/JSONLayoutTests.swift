import Foundation
import Testing

@testable import Browser

@Suite("The layout of JSON")
struct JSONLayoutTests {
  @Test("Members with the same name, numbers, escapes and the order of members stay as they are stored")
  func values() throws {
    let stored = #"{"b":1.10,"a":-0,"a":1e2,"t":"\u00e9\/\"{,}","e":{},"l":[ ],"n":[1,[2]]}"#
    let layout = try #require(JSONLayout(Data(stored.utf8)))
    #expect(
      layout.text == #"""
        {
          "b": 1.10,
          "a": -0,
          "a": 1e2,
          "t": "\u00e9\/\"{,}",
          "e": {},
          "l": [],
          "n": [
            1,
            [
              2
            ]
          ]
        }
        """#
    )
  }

  @Test("A deeply nested document does not become a text of many times its size")
  func size() throws {
    let brackets = (opening: String(repeating: "[", count: 100), closing: String(repeating: "]", count: 100))
    let stored = brackets.opening + String(repeating: "1,", count: 10_000) + "1" + brackets.closing
    let layout = try #require(JSONLayout(Data(stored.utf8)))
    #expect(layout.text.utf8.count < stored.utf8.count * 20)
  }

  @Test(
    "Bytes that are not a JSON object or array in UTF-8 have no layout",
    arguments: [
      "", "1", "\"a\"", "{", "{\"a\":}", "[1,,2]", "{\u{0}}", String(repeating: "[", count: 100_000),
    ]
  )
  func others(text: String) {
    #expect(JSONLayout(Data(text.utf8)) == nil)
  }

  @Test("Data in a property list are shown by their bytes")
  func nestedData() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["key": Data([0x41, 0xFF])],
      format: .binary,
      options: 0
    )
    guard case .text(let text, "property list") = DataContents(list) else {
      Issue.record("a property list is shown as \(DataContents(list))")
      return
    }
    #expect(text.contains("key: 2 bytes\n"))
    #expect(text.contains("000000  41 ff"))
    #expect(text.contains("A·"))
  }
}
