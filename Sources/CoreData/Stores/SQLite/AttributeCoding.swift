import Foundation

/// Between the objects of transformable attributes and the data that stores keep of them.
///
/// The form is that of `NSSecureUnarchiveFromData`, the default of Apple's framework: a keyed archive whose root
/// is the object, of Foundation's plain classes or of the class that the attribute names. The data of any other
/// transformer comes and goes as it is.
enum AttributeCoding {
  /// The object that an archive holds; the data itself, when it is no archive that can be read here, so that the
  /// rest of the row is not lost with it.
  static func decode(_ data: Data, _ attribute: NSAttributeDescription) -> Any {
    guard isArchived(attribute),
      let object = try? NSKeyedUnarchiver.unarchivedObject(ofClasses: classes(attribute), from: data)
    else { return data }
    return object
  }

  /// The archive of an object.
  ///
  /// - Throws: an error that names the attribute and the class, when the object could not be read back.
  static func encode(_ object: Any, _ attribute: NSAttributeDescription) throws -> Data {
    guard isArchived(attribute) else {
      if let data = object as? Data { return data }
      throw failure(
        object,
        attribute,
        "the transformer \(attribute.valueTransformerName ?? "") is not here; set the data that it makes"
      )
    }
    // The archive of an object that cannot be made here is data here, and goes back as it came.
    if let data = object as? Data, isForeignArchive(data, attribute) { return data }
    let classes = classes(attribute)
    guard isArchivable(object, classes) else {
      throw failure(
        object,
        attribute,
        """
        the archive may hold Foundation's plain objects (no decimal numbers) and those of the attribute's \
        attributeValueClassName, which must conform to NSSecureCoding
        """
      )
    }
    do {
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    } catch {
      throw failure(object, attribute, error.localizedDescription)
    }
  }

  private static let plainClasses: [any (NSObject & NSSecureCoding).Type] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
    NSData.self, NSURL.self, NSUUID.self, NSNull.self,
  ]

  private static let archivingTransformers: Set<String> = [
    "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
    "NSKeyedUnarchiveFromDataTransformerName",
  ]

  private static func isArchived(_ attribute: NSAttributeDescription) -> Bool {
    archivingTransformers.contains(attribute.valueTransformerName ?? "")
  }

  private static func isForeignArchive(_ data: Data, _ attribute: NSAttributeDescription) -> Bool {
    data.starts(with: Data("bplist00".utf8)) && data.range(of: Data("$archiver".utf8)) != nil
      && decode(data, attribute) is Data
  }

  private static func classes(_ attribute: NSAttributeDescription) -> [AnyClass] {
    guard let name = attribute.attributeValueClassName, let named = NSClassFromString(name) else {
      return plainClasses
    }
    return plainClasses + [named]
  }

  /// Whether an archive of the object can be made and read back. Foundation's own collections are looked into; Linux
  /// Foundation stops the program when a decimal number is archived.
  private static func isArchivable(_ object: Any, _ classes: [AnyClass]) -> Bool {
    guard let object = object as? NSObject else { return false }
    switch object {
    case is NSDecimalNumber: return false
    case let array as NSArray: return array.allSatisfy { isArchivable($0, classes) }
    case let set as NSSet: return set.allSatisfy { isArchivable($0, classes) }
    case let set as NSOrderedSet: return set.allSatisfy { isArchivable($0, classes) }
    case let dictionary as NSDictionary:
      return dictionary.allSatisfy { isArchivable($0.key, classes) && isArchivable($0.value, classes) }
    default: return object is any NSSecureCoding && classes.contains { object.isKind(of: $0) }
    }
  }

  private static func failure(
    _ object: Any,
    _ attribute: NSAttributeDescription,
    _ reason: String
  ) -> any Error {
    StoreFailure.error(
      CocoaError.coderInvalidValue.rawValue,
      "\(attribute.modelPath): an object of the class \(type(of: object)) cannot be kept: \(reason)."
    )
  }
}
