/// A model file as plain values: the `contents` of an `.xcdatamodel`, or the contents of a compiled `.mom`.
///
/// A document has the contents of its file, valid or not; `check(file:)` finds out whether it can
/// be used. Unknown parts are in `unknown` of the part that contains them, and are written back.
public struct ModelDocument: Hashable, Sendable {
  /// The name that old editors wrote into the file.
  public var name: String?
  /// The kind of file, `com.apple.IDECoreDataModeler.DataModel`.
  public var type: String?
  /// The version of the format, `1.0`.
  public var documentVersion: String?
  /// The build of the editor that saved the file.
  public var lastSavedToolsVersion: String?
  /// The build of the system on which the file was saved.
  public var systemVersion: String?
  /// The oldest editor that is to open the file.
  public var minimumToolsVersion: String?
  /// `Swift` or `Objective-C`.
  public var sourceLanguage: String?
  /// The macOS that the model is for, in old files.
  public var macOSVersion: String?
  /// The iOS that the model is for, in old files.
  public var iOSVersion: String?
  /// The version identifier that the model's author gave; empty without one.
  public var versionIdentifier: String?
  /// True when a configuration of the model is kept in CloudKit on Apple's platforms.
  public var isUsedWithCloudKit = false
  /// True when SwiftData uses the model.
  public var isUsedWithSwiftData = false

  /// The entities.
  public var entities: [Entity] = []
  /// The fetch request templates.
  public var fetchRequests: [FetchRequest] = []
  /// The configurations: which entities go into a store.
  public var configurations: [Configuration] = []
  /// The composites: groups of attributes that an attribute may have as its type.
  public var composites: [Composite] = []
  /// The places at which the editor shows the entities.
  public var diagram: [DiagramElement]?

  /// The line of the file that declares this.
  public var line = SourceLine()
  /// The unknown attributes and elements.
  public var unknown = UnknownContents()

  /// Makes an empty document.
  public init() {}
}

extension ModelDocument {
  /// The entity of a name, or `nil`.
  public func entity(named name: String) -> Entity? {
    entities.first { $0.name == name }
  }
}

extension ModelDocument: ContentsPart {
  static let elementName = "model"
  static let fields: [ContentsField<Self>] = [
    .text("name", path: \.name),
    .text("type", path: \.type),
    .text("documentVersion", path: \.documentVersion),
    .text("lastSavedToolsVersion", path: \.lastSavedToolsVersion),
    .text("systemVersion", path: \.systemVersion),
    .text("minimumToolsVersion", path: \.minimumToolsVersion),
    .text("macOSVersion", path: \.macOSVersion),
    .text("iOSVersion", path: \.iOSVersion),
    .text("sourceLanguage", path: \.sourceLanguage),
    .flag("usedWithCloudKit", path: \.isUsedWithCloudKit),
    .flag("usedWithSwiftData", path: \.isUsedWithSwiftData),
    .text("userDefinedModelVersionIdentifier", path: \.versionIdentifier),
  ]
  static let children: [ContentsChild<Self>] = [
    .many(\.entities),
    .many(\.fetchRequests),
    .many(\.configurations),
    .many(\.composites),
    .wrapped(in: "elements", path: \.diagram),
  ]
}
