import Foundation

/// Two versions of a model of an album, and seeds for it.
struct AlbumFiles {
  /// The number of photos in `built.jsonl`. Every tenth one has an image.
  static let builtCount = 30
  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  func write(first: Int, more: Int) throws {
    try write("Album", title: "title")
    try write(
      "Album 2",
      title: "caption",
      more: #"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#
    )
    try write("first", 0..<first) { _ in true }
    try write("more", first..<(first + more)) { $0 % 8 == 0 && $0 < 100 }
    try write("built", 0..<Self.builtCount) { $0 % 10 == 3 }
  }

  private func write(_ name: String, title: String, more: String = "") throws {
    let package = folder.appendingPathComponent("\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        <entity name="Photo" syncable="YES">
          <attribute name="image" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
          <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
          <attribute name="\(title)" optional="YES" attributeType="String" elementID="title"/>
          \(more)
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="number"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
      </model>
      """
    try Data(text.utf8).write(to: package.appendingPathComponent("contents"))
  }

  private func write(_ name: String, _ numbers: Range<Int>, hasImage: (Int) -> Bool) throws {
    var text = ""
    for number in numbers {
      let hasImage = hasImage(number)
      text += #"{"$entity": "Photo", "number": \#(number), "title": "\#(Self.title(number, hasImage))""#
      if hasImage { text += #", "image": "\#(Self.image(number).base64EncodedString())""# }
      text += "}\n"
    }
    try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).jsonl"))
  }

  private static func title(_ number: Int, _ hasImage: Bool) -> String {
    "photo \(number)\(hasImage ? " with an image" : "")"
  }

  /// Whether a photo with this title has an image; `nil` if the title is not that of the photo.
  static func hasImage(title: String?, _ number: Int) -> Bool? {
    [true, false].first { self.title(number, $0) == title }
  }

  /// The image of a photo, which is too large to be stored inside the database.
  static func image(_ number: Int) -> Data { Data(repeating: UInt8(number & 0xFF), count: 140_000) }
}
