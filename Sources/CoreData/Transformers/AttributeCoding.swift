import Foundation
import ModelFormats

/// Converts between the objects of transformable attributes and the data that stores keep of them.
///
/// An attribute that names no transformer, or one of Foundation's that read archives, is kept as a
/// secure keyed archive whose root is the object, of Foundation's plain classes or of the class
/// that the attribute names. Any other name is that of a registered `ValueTransformer`.
package enum AttributeCoding {
  private enum Coding {
    case archive
    case transformer(ValueTransformer)
    /// The transformer is not registered: its data is read and written without a conversion.
    case unknown
  }

  /// The object that a transformer decodes from data; `nil` when the transformer returns no object.
  ///
  /// The result is an ``UnreadableArchive`` when the data is not an archive that can be read here, so that neither the
  /// rest of the row nor the bytes are lost. The result is the data itself when the transformer is not registered.
  package static func decode(_ data: Data, attribute: NSAttributeDescription) -> Any? {
    switch coding(attribute) {
    case .archive:
      do throws(SecureArchive.Failure) {
        return try SecureArchive.object(in: data, classes: classes(attribute))
      } catch {
        if case .unreadable(let problem) = error { return UnreadableArchive(data, problem: problem, isDamaged: true) }
        return UnreadableArchive(data, problem: error.problem, isDamaged: false)
      }
    case .transformer(let transformer as NSSecureUnarchiveFromDataTransformer):
      return transformer.transformedValue(data)
        ?? UnreadableArchive(
          data,
          problem: "the transformer \(attribute.valueTransformerName ?? "") makes nothing of it",
          isDamaged: true
        )
    case .transformer(let transformer): return transformer.reverseTransformedValue(data)
    case .unknown: return data
    }
  }

  /// The data of an object.
  ///
  /// - Throws: an error that names the attribute and the class, when the object could not be read back.
  static func encode(_ object: Any, attribute: NSAttributeDescription) throws -> Data {
    if let unreadable = object as? UnreadableArchive { return unreadable.data }
    let name = attribute.valueTransformerName ?? ""
    switch coding(attribute) {
    case .archive: return try archive(object, attribute: attribute)
    case .transformer(let transformer):
      // Apple's framework calls transformers that read archives in the reverse direction.
      let isReverse = transformer is NSSecureUnarchiveFromDataTransformer
      let value = isReverse ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
      if let data = value as? Data { return data }
      let result = value.map { "an object of the class \(type(of: $0))" } ?? "nothing"
      throw failure(
        object,
        attribute: attribute,
        reason: "the transformer \(name) makes \(result) of it, and has to make data"
      )
    case .unknown:
      if let data = object as? Data { return data }
      throw failure(
        object,
        attribute: attribute,
        reason:
          "no transformer is registered under the name \(name); call ValueTransformer.setValueTransformer(_:forName:)"
      )
    }
  }

  /// The object that a store which keeps rows in memory has of another: one of its own, as if from data.
  ///
  /// - Throws: the errors of ``encode(_:_:)``.
  static func copy(_ object: Any, attribute: NSAttributeDescription) throws -> Any? {
    decode(try encode(object, attribute: attribute), attribute: attribute)
  }

  // MARK: - The transformer

  private static func coding(_ attribute: NSAttributeDescription) -> Coding {
    let name = attribute.valueTransformerName ?? ""
    if ArchivingTransformers.names.contains(name) { return .archive }
    return ValueTransformer(forName: NSValueTransformerName(name)).map { .transformer($0) } ?? .unknown
  }

  private static func classes(_ attribute: NSAttributeDescription) -> [AnyClass] {
    guard let name = attribute.attributeValueClassName, let named = NSClassFromString(name) else {
      return SecureArchive.plainClasses
    }
    return SecureArchive.plainClasses + [named]
  }

  private static func archive(_ object: Any, attribute: NSAttributeDescription) throws -> Data {
    // The archive of an object that cannot be made here is data here, and goes back as it came.
    if let data = object as? Data, isForeignArchive(data, attribute: attribute) { return data }
    do {
      return try SecureArchive.data(of: object, classes: classes(attribute))
    } catch {
      throw failure(object, attribute: attribute, reason: error.problem)
    }
  }

  private static func isForeignArchive(_ data: Data, attribute: NSAttributeDescription) -> Bool {
    data.starts(with: Data("bplist00".utf8)) && data.range(of: Data("$archiver".utf8)) != nil
      && decode(data, attribute: attribute) is UnreadableArchive
  }

  private static func failure(_ object: Any, attribute: NSAttributeDescription, reason: String) -> any Error {
    StoreFailure.error(
      CocoaError.coderInvalidValue.rawValue,
      message: "\(attribute.modelPath): an object of the class \(type(of: object)) cannot be kept: \(reason)."
    )
  }
}

/// The bytes of a transformable attribute that cannot be decoded, which replace the object, and the reason.
///
/// A save writes the bytes as they were.
final class UnreadableArchive: NSObject, Sendable {
  let data: Data
  let problem: String
  /// True when the archive is damaged or malicious. Otherwise, its class is not known here, or the data is not an
  /// archive. Key-value coding then returns the bytes, so that a program that copies objects loses nothing.
  let isDamaged: Bool

  init(_ data: Data, problem: String, isDamaged: Bool) {
    self.data = data
    self.problem = problem
    self.isDamaged = isDamaged
  }

  override func isEqual(_ object: Any?) -> Bool { (object as? UnreadableArchive)?.data == data }

  override var hash: Int { data.hashValue }

  override var description: String { "\(data.count) bytes that cannot be read: \(problem)" }

  /// The error of an object whose value this is.
  func error(object: String, attribute: NSAttributeDescription) -> NSError {
    StoreFailure.error(
      CocoaError.coderReadCorrupt.rawValue,
      message: """
        \(attribute.modelPath) of \(object): \(data.count) bytes cannot be made into an object (\(problem)). They stay \
        as they are; set the value anew, or give the attribute the class that was archived.
        """
    )
  }
}
