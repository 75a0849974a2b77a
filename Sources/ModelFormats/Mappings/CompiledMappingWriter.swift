package import Foundation
import PropertyLists

extension MappingDocument {
  /// The mapping model compiled, as Xcode writes a `.cdm`: a keyed archive of an `NSMappingModel`,
  /// the same bytes for the same mapping model.
  ///
  /// - Parameter file: the name of the document's file in errors.
  /// - Throws: `ModelFileError` for an expression of a kind that was never observed in an archive.
  package func compiled(file: String? = nil) throws(ModelFileError) -> Data {
    var writer = CompiledMappingWriter(file: file)
    return try writer.data(self)
  }
}

/// Writes a compiled mapping model.
struct CompiledMappingWriter {
  private let file: String?
  private var archive = KeyedArchiveWriter()

  init(file: String?) { self.file = file }

  mutating func data(_ document: MappingDocument) throws(ModelFileError) -> Data {
    let model = archive.reserve()
    var mappings: [(key: String, uid: Int)] = []
    for mapping in document.entityMappings { mappings.append((mapping.name, try add(mapping))) }
    let list = archive.collection(.array, uids: mappings.map(\.uid))
    let byName = Dictionary(mappings.map { ($0.key, $0) }) { first, _ in first }.values
      .sorted { BinaryOrder.isLess($0.key, right: $1.key) }
    let dictionary = archive.dictionary(.mutableDictionary, byName)
    archive.define(
      model,
      type: .mappingModel,
      fields: [("NSEntityMappings", .uid(list)), ("NSEntityMappingsByName", .uid(dictionary))]
    )
    return archive.data(root: model)
  }

  private mutating func add(_ mapping: MappingDocument.EntityMapping) throws(ModelFileError) -> Int {
    let place = "mapping \(mapping.name)"
    let uid = archive.reserve()
    let source = try add(expression: mapping.sourceExpression, of: mapping.line, place: "\(place), source expression")
    let attributes = try add(mapping.attributes, in: place)
    let relationships = try add(mapping.relationships, in: place)
    archive.define(
      uid,
      type: .entityMapping,
      fields: [
        ("NSMappingName", .uid(archive.string(mapping.name))),
        ("NSMappingType", .integer(Int64(clamping: mapping.type))),
        ("NSSourceEntityName", .uid(archive.string(mapping.sourceEntity))),
        ("NSSourceEntityVersionHash", .uid(mapping.sourceVersionHash.map { archive.data($0) } ?? 0)),
        ("NSDestinationEntityName", .uid(archive.string(mapping.destinationEntity))),
        (
          "NSDestinationEntityVersionHash", .uid(mapping.destinationVersionHash.map { archive.data($0) } ?? 0)
        ),
        ("NSSourceExpression", .uid(source)),
        ("NSEntityMigrationPolicyClassName", .uid(archive.string(mapping.policyClassName))),
        ("NSAttributeMappings", .uid(attributes)),
        ("NSRelationshipMappings", .uid(relationships)),
        ("NSUserInfo", .uid(userInfo(mapping.userInfo))),
      ]
    )
    return uid
  }

  private mutating func add(
    _ properties: [MappingDocument.PropertyMapping],
    in place: String
  ) throws(ModelFileError) -> Int {
    var uids: [Int] = []
    for property in properties {
      let expression = try add(
        expression: property.valueExpression,
        of: property.line,
        place: "\(place), property \(property.name)"
      )
      let fields: [KeyedArchiveWriter.Field] = [
        ("NSDestinationPropertyName", .uid(archive.string(property.name))),
        ("NSValueExpression", .uid(expression)), ("NSPropertyTransforms", .uid(0)),
        ("NSUserInfo", .uid(userInfo(property.userInfo))),
      ]
      uids.append(archive.object(.propertyMapping, fields: fields))
    }
    return archive.collection(.array, uids: uids)
  }

  private mutating func userInfo(_ info: [String: String]) -> Int {
    if info.isEmpty { return 0 }
    let entries = info.sorted { BinaryOrder.isLess($0.key, right: $1.key) }
    return archive.dictionary(.dictionary, entries.map { ($0.key, archive.string($0.value)) })
  }

  private mutating func add(expression: String?, of line: SourceLine, place: String) throws(ModelFileError) -> Int {
    guard let expression else { return 0 }
    if let uid = FormatArchiver.expression(expression, in: &archive) { return uid }
    throw ModelFileError(
      .corrupt,
      file: file,
      line: line.number,
      element: place,
      problem: """
        the expression \(expression) cannot be compiled; write it with key paths, functions and messages alone, or have \
        a migration policy find the value
        """
    )
  }
}
