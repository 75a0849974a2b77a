import Foundation
import FoundationXML
import PropertyLists

/// Reads a store in XML, and takes nothing of a file that is damaged.
struct XMLStoreReader {
  private let data: Data
  private let file: URL
  private let text: XMLStoreText

  init(_ data: Data, file: URL) throws {
    self.data = data
    self.file = file
    text = try XMLStoreText(data, file: file)
  }

  /// The store's metadata, and the last key that was given out.
  func metadata() throws -> (metadata: StoreMetadata, lastKey: Int64) {
    let parser = try XMLStoreParser(data, file: file, model: nil)
    return (try metadata(parser), parser.lastKey)
  }

  /// The bytes behind what the store says of itself: its objects, as they are, and the end.
  func objectBytes() throws -> Data {
    guard let start = text.objects else { throw AtomicFailure.otherFormat("store in XML", file) }
    return data.dropFirst(start).drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
  }

  /// - Throws: an error that names the file and the line.
  func document(_ model: NSManagedObjectModel, ignoresUnknown: Bool) throws -> AtomicDocument {
    let parser = try XMLStoreParser(data, file: file, model: model, ignoresUnknown: ignoresUnknown)
    var document = AtomicDocument(metadata: try metadata(parser))
    document.lastKey = parser.lastKey
    document.objects = parser.objects
    let lines = parser.lines
    try AtomicDocumentCheck(document: document, file: file) { "line \(lines[$0])" }.run()
    return document
  }

  private func metadata(_ parser: XMLStoreParser) throws -> StoreMetadata {
    guard let range = text.metadata else { return StoreMetadata(uuid: parser.identifier, properties: [:]) }
    let list = data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound]
    guard let properties = try? CheckedPropertyList.read(Data(list)) as? [String: Any] else {
      throw AtomicFailure.otherFormat("store in XML with metadata that can be read", file)
    }
    return StoreMetadata(uuid: parser.identifier, properties: properties)
  }
}
