import ModelFormats

/// Random models, equal for equal seeds, that contain everything a picture has to render.
enum RandomDocument {
  /// Names that are markup, end strings, reverse the text direction, or are wide.
  static let hostileNames = [
    "<script>alert(1)</script>", "\"'&<>", "]]>", "--", "a\u{0}b\u{1B}[31m", "\u{202E}evil",
    "\u{FFFE}\u{FFFF}", "列名前テーブル", "Ελληνικά", "שלום", "مرحبا", "\u{1F469}\u{200D}\u{1F467}\u{1F389}",
    "", " ", "a\nb\tc", "{x|<y>}", "\\", "é\u{301}\u{301}", "&amp;", "%20", "url(#a)",
    "javascript:alert(1)", String(repeating: "W", count: 300), "\u{2028}", "𝕬𝖇𝖈", "\"\u{301}<\u{301}&\u{301}",
  ]

  static func document(entities count: Int, seed: UInt64, hostile: Bool = false) -> ModelDocument {
    var random = Numbers(state: seed)
    var document = ModelDocument()
    func name(_ plain: String, _ number: Int) -> String {
      hostile ? hostileNames[random.below(hostileNames.count)] + "\(number)" : "\(plain)\(number)"
    }
    for number in 0..<count {
      var entity = ModelDocument.Entity(name: name("Entity", number))
      let many = random.below(9) == 0 ? 20 : 0
      for index in 0..<random.below(7) + many {
        let types = ModelDocument.AttributeType.allCases
        var attribute = ModelDocument.Attribute(
          name: name("attribute", index),
          type: types[random.below(types.count)]
        )
        attribute.isOptional = random.below(2) == 0
        attribute.isTransient = random.below(6) == 0
        entity.attributes.append(attribute)
      }
      entity.isAbstract = random.below(7) == 0
      if number > 0, random.below(5) == 0 {
        entity.parentEntity = document.entities[random.below(number)].name
      }
      document.entities.append(entity)
    }
    guard count > 0 else { return document }
    // As in hand-made models, a few entities have most of the relationships.
    for number in 0..<count * 5 / 4 {
      let source = random.below(count)
      let destination = random.below(3) == 0 ? random.below(max(1, count / 8)) : random.below(count)
      var one = ModelDocument.Relationship(
        name: name("one", number),
        destinationEntity: document.entities[destination].name
      )
      one.isOptional = random.below(2) == 0
      one.isToMany = random.below(3) == 0
      switch random.below(8) {
      case 0: break
      case 1 where source == destination:
        one.inverseName = one.name
        one.inverseEntity = one.destinationEntity
      default:
        var other = ModelDocument.Relationship(
          name: name("many", number),
          destinationEntity: document.entities[source].name
        )
        other.isToMany = true
        other.isOrdered = random.below(3) == 0
        other.deletionRule = ModelDocument.DeletionRule.allCases[random.below(4)]
        (one.inverseName, one.inverseEntity) = (other.name, one.destinationEntity)
        (other.inverseName, other.inverseEntity) = (one.name, other.destinationEntity)
        document.entities[destination].relationships.append(other)
      }
      document.entities[source].relationships.append(one)
    }
    return document
  }

  private struct Numbers {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(1, limit)))
    }
  }
}
