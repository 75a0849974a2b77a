import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  /// The greatest number of a text's characters on the page of a value. Its file has all of them.
  static let longestValue = 2_000_000

  /// Returns the page of one stored value, with the way back to its object. The value's file is a page of its own,
  /// because a text as it is stored has no place for links.
  func valuePage(of attribute: String, entity: String, key: Int64) async throws -> Response {
    let objects = StoreObjects(explored)
    let link = try await objects.link(to: entity, key: key, within: readLimit)
    let value = try await storedValue(of: attribute, entity: entity, key: key)
    let file = address.value(attribute, of: link)
    let name = Self.oneLine(attribute)
    var fields = ValuePageFields(
      title: link.name,
      entityName: Self.oneLine(link.entity),
      entityAddress: address.entity(link.entity),
      objectAddress: address.object(link),
      attributeName: name,
      fileAddress: file,
      size: Self.bytes(value.bytes.count)
    )
    if value.isText {
      let text = String(decoding: value.bytes, as: UTF8.self)
      let count = text.unicodeScalars.count
      fields.size = Self.number(count) + (count == 1 ? " character" : " characters")
      fields.shownCount = count > Self.longestValue ? Self.number(Self.longestValue) : nil
      fields.text = VisibleText(lines: text.cut(to: Self.longestValue)).description
    } else if DataContents.imageType(of: value.bytes) != nil {
      fields.image = file
    }
    return .page(frame.page(fields, title: "\(name) of \(link.name)", tab: .entities, entity: link.entity))
  }

  /// Returns a value as a file. A browser shows a picture or a text, and saves anything else.
  func bytes(of attribute: String, entity: String, key: Int64) async throws -> Response {
    let value = try await storedValue(of: attribute, entity: entity, key: key)
    let type = value.isText ? "text/plain; charset=utf-8" : DataContents.imageType(of: value.bytes)
    var response = Response.bytes(value.bytes, type: type ?? "application/octet-stream")
    // The policy forbids scripts in a value of any kind.
    response.headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
    if type == nil { response.headers[.contentDisposition] = "attachment; filename=\"value.bin\"" }
    return response
  }

  private func storedValue(of attribute: String, entity: String, key: Int64) async throws -> (bytes: Data, isText: Bool)
  {
    let value = try await StoreObjects(explored).bytes(of: attribute, entity: entity, key: key, within: readLimit)
    guard let value else { throw HTTPError(.notFound, message: "The attribute has no value.") }
    return value
  }
}
