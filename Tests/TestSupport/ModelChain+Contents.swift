extension ModelChain {
  /// The entities of a version, in the XML of a model file. Each has an attribute `key` in addition to its columns, whose
  /// hash differs in every version: swapping two names alone would not change a hash.
  package func contents(of index: Int) -> String {
    let version = versions[index]
    var composites: [String] = []
    let entities = version.entities.map { entity in
      let modifier = "versionHashModifier=\"\(index)\""
      let key = "<attribute name=\"key\" attributeType=\"Integer 64\" optional=\"YES\" \(modifier)/>"
      let columns = entity.columns.map { column in
        let start = "name=\"\(column.name)\" optional=\"YES\"\(Self.identifier(column.identifier))"
        switch column.kind {
        case .text: return "<attribute \(start) attributeType=\"String\"/>"
        case .composite(let elements):
          composites.append(Self.composite(column.number, elements))
          return
            "<attribute \(start) attributeType=\"Composite\" composite=\"C\(column.number)\" \(modifier)/>"
        case .relationship(let destination, let inverse, let isToMany):
          let target = version.entity(destination)
          let name = target?.name ?? ""
          let back = target?.columns.first { $0.number == inverse }?.name ?? ""
          let count = isToMany ? "toMany=\"YES\"" : "maxCount=\"1\""
          return """
            <relationship \(start) \(count) deletionRule="Nullify" destinationEntity="\(name)" inverseName="\(back)" \
            inverseEntity="\(name)"/>
            """
        }
      }
      let start = "<entity name=\"\(entity.name)\"\(Self.identifier(entity.identifier))>"
      return start + key + columns.joined() + "</entity>"
    }
    return (entities + composites).joined(separator: "\n")
  }

  private static func identifier(_ identifier: String?) -> String {
    identifier.map { " elementID=\"\($0)\"" } ?? ""
  }

  private static func composite(_ number: Int, _ elements: [Column]) -> String {
    let elements = elements.map {
      "<attribute name=\"\($0.name)\" optional=\"YES\" attributeType=\"String\"\(identifier($0.identifier))/>"
    }
    return "<composite name=\"C\(number)\">\(elements.joined())</composite>"
  }
}
