public import Foundation

/// The error in a model file, and its position in the file.
///
/// As an `NSError` it is in `NSCocoaErrorDomain`, with the path under `NSFilePathErrorKey` and one
/// of these codes: the file is missing (`fileReadNoSuchFile`), cannot be read (`fileReadUnknown`),
/// has invalid contents (`fileReadCorruptFile`), or cannot be written (`fileWriteUnknown`).
public struct ModelFileError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Kind: Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// The file could not be read.
    case unreadable
    /// The file was read, and its contents are invalid.
    case corrupt
    /// The document is sound, but the format cannot express it.
    case inexpressible
    /// The file or folder could not be written.
    case unwritable
  }

  /// The kind of failure.
  public var kind: Kind
  /// The path of the file, as it was given.
  public var file: String?
  /// The line, from 1 on.
  public var line: Int?
  /// The element with the names of the elements around it: `entity City, attribute population`.
  public var element: String?
  /// The XML attribute of the element.
  public var attribute: String?
  /// The fault and its remedy, in a sentence.
  public var problem: String

  /// Makes an error.
  public init(
    _ kind: Kind,
    file: String? = nil,
    line: Int? = nil,
    element: String? = nil,
    attribute: String? = nil,
    problem: String
  ) {
    self.kind = kind
    self.file = file
    self.line = line
    self.element = element
    self.attribute = attribute
    self.problem = problem
  }
}

extension ModelFileError: LocalizedError, CustomStringConvertible {
  /// File, line, element and attribute, as far as they are known, and the problem.
  public var description: String {
    var place = file ?? ""
    if let line { place += place.isEmpty ? "line \(line)" : ":\(line)" }
    var parts = place.isEmpty ? [] : [place]
    switch (element, attribute) {
    case (let element?, let attribute?): parts.append("\(element), \(attribute)")
    case (let name?, nil), (nil, let name?): parts.append(name)
    case (nil, nil): break
    }
    return (parts + [problem]).joined(separator: ": ")
  }

  public var errorDescription: String? { description }
}

extension ModelFileError: CustomNSError {
  public static var errorDomain: String { CocoaError.errorDomain }

  public var errorCode: Int {
    switch kind {
    case .missing: CocoaError.fileReadNoSuchFile.rawValue
    case .unreadable: CocoaError.fileReadUnknown.rawValue
    case .corrupt: CocoaError.fileReadCorruptFile.rawValue
    case .inexpressible, .unwritable: CocoaError.fileWriteUnknown.rawValue
    }
  }

  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    info[NSFilePathErrorKey] = file
    return info
  }
}
