import Foundation
import Testing

@testable import Seeding

@Suite("Property lists that would take forever to read")
struct HostilePropertyListTests {
  private func failure(_ data: Data) throws -> SeedError? {
    let store = try TestStore()
    return #expect(throws: SeedError.self) {
      try Seeder(.data(data, name: "tags.plist")).runAndWait(in: store.coordinator)
    }
  }

  /// A binary property list of the given encoded objects, of which the first is the root. A reference is one byte.
  private func binary(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xFF)] }
    func number(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    return Data(bytes + number(objects.count) + number(0) + number(table))
  }

  /// A dictionary that maps the key `tags` to object 2.
  private let root: [[UInt8]] = [[0xD1, 1, 2], [0x54] + Array("tags".utf8)]

  @Test(
    "arrays in a property list that share their elements level by level are refused by their expanded size"
  )
  func sharing() throws {
    // Each level refers to the next one twice, which makes 2 to the 60th objects.
    let levels = (0..<60).map { [0xA2, UInt8($0 + 3), UInt8($0 + 3)] as [UInt8] }
    let error = try failure(binary(root + levels + [[0xA0]]))
    #expect(error?.code == .tooLarge)
    #expect(error?.position?.file == "tags.plist")
  }

  @Test("a text that a property list refers to very often is refused by its expanded size")
  func sharedText() throws {
    let text: [UInt8] = [0x5F, 0x11, 0x10, 0x00] + [UInt8](repeating: 0x61, count: 0x1000)
    let lists = (0..<4).map { level in
      [0xAF, 0x10, 200] + [UInt8](repeating: UInt8(level + 3), count: 200) as [UInt8]
    }
    #expect(try failure(binary(root + lists + [text]))?.code == .tooLarge)
  }

  @Test("an array in a property list that contains itself, directly or indirectly, is refused")
  func cycles() throws {
    for objects in [[[0xA1, 2]], [[0xA1, 3], [0xA1, 2]]] as [[[UInt8]]] {
      let error = try failure(binary(root + objects))
      #expect(error?.problem == "values are nested more than 200 deep, or within themselves")
    }
  }

  @Test(
    "a duplicate key in a property list's dictionary is an error that names both positions",
    arguments: ["name", "a&amp;b", "<![CDATA[a&b]]>", "a<!-- -->b"],
    ["name", "a&#38;b", "a&#x26;b", "ab"]
  )
  func keysTwice(first: String, second: String) throws {
    let names = [first, second].map { key in
      key.replacingOccurrences(of: "<![CDATA[a&b]]>", with: "a&b").replacingOccurrences(
        of: "<!-- -->",
        with: ""
      )
      .replacingOccurrences(of: "&amp;", with: "&").replacingOccurrences(of: "&#38;", with: "&")
      .replacingOccurrences(of: "&#x26;", with: "&")
    }
    let xml = """
      <?xml version="1.0"?>
      <plist version="1.0"><dict><key>tags</key><array><dict>
      <key>\(first)</key><string>a</string>
      <key>\(second)</key><string>b</string></dict></array></dict></plist>
      """
    let error = try failure(Data(xml.utf8))
    guard names[0] == names[1] else {
      #expect(error?.problem.contains("twice") == false)
      return
    }
    #expect(error?.code == .brokenText)
    #expect(error?.problem == "the key \"\(names[0])\" stands twice in one dictionary, first in line 3")
    #expect(error?.position?.line == 4)
  }

  @Test("a duplicate key in a binary property list is an error, whether it is one object or two")
  func binaryKeysTwice() throws {
    let key = [0x54] + Array("tags".utf8)
    let wide: [UInt8] = [0x64] + Array("tags".utf8).flatMap { [0, $0] }
    let tags: [[UInt8]] = [[0xA1, 3], [0xD1, 4, 5], [0x54] + Array("name".utf8), [0x51, 0x61]]
    for keys in [[key, key], [key, wide]] {
      // A dictionary whose keys are objects 1 and 6, and whose values are object 2.
      let root: [[UInt8]] = [[0xD2, 1, 6, 2, 2], keys[0]] + tags + [keys[1]]
      let error = try failure(binary(root))
      #expect(error?.problem == "the key \"tags\" stands twice in one dictionary, at the bytes 9 and 10")
    }
    let once: [[UInt8]] = [[0xD2, 1, 1, 2, 2], key] + tags
    #expect(try failure(binary(once))?.problem.contains("stands twice") == true)
  }

  @Test("a deeply nested property list is refused in each format")
  func depth() throws {
    let levels = (0..<240).map { [0xA1, UInt8($0 + 3)] as [UInt8] }
    #expect(try failure(binary(root + levels + [[0xA0]]))?.code == .brokenText)
    let open = String(repeating: "<array>", count: 100_000)
    let xml =
      "<plist><dict><key>tags</key>\(open)\(open.replacingOccurrences(of: "<", with: "</"))</dict></plist>"
    #expect(try failure(Data(xml.utf8))?.problem.hasPrefix("values are nested more than 200 deep") == true)
    let old = Data((String(repeating: "(", count: 100_000)).utf8)
    #expect(try failure(old)?.problem == "this is neither an XML nor a binary property list")
  }

  @Test("a binary property list with a wrong object table is refused", arguments: 0..<6)
  func tables(kind: Int) throws {
    var data = binary(root + [[0xA0]])
    let trailer = data.count - 32
    switch kind {
    case 0: data.replaceSubrange(trailer + 8..<trailer + 16, with: repeatElement(0xFF, count: 8))
    case 1: data.replaceSubrange(trailer + 16..<trailer + 24, with: repeatElement(0x7F, count: 8))
    case 2: data.replaceSubrange(trailer + 24..<trailer + 32, with: repeatElement(0x7F, count: 8))
    case 3: data[trailer + 6] = 0
    case 4: data.replaceSubrange(trailer - 2..<trailer, with: [0xFF, 0xFF])
    default: data = data.prefix(12)
    }
    #expect(try failure(data)?.code == .brokenText)
  }

  @Test("a property list that shares objects within the limits is read in each format")
  func sound() throws {
    let lists: [String: Any] = [
      "tags": [["name": "News"], ["name": "<array><array>"]],
      "notes": [["title": "A", "tags": ["News", "News"]]],
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: lists, format: format, options: 0)
      let store = try TestStore()
      let report = try Seeder(.data(data, name: "seed.plist")).runAndWait(in: store.coordinator)
      #expect(report.total.created == 3)
    }
    let comments =
      "<plist><!-- <array> --><dict><key>tags</key><array><dict><key>name</key>"
      + "<string><![CDATA[<dict><array>]]></string></dict></array></dict></plist>"
    let store = try TestStore()
    try store.seed(comments, name: "tags.plist")
    #expect(try store.values("Tag", "name") == ["<dict><array>"])
  }
}
