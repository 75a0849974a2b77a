import PropertyLists

extension CompiledModelWriter {
  /// The conditions of an attribute: first the bounds as Apple's compiler writes them, then the other conditions.
  ///
  /// A text goes into the details if it cannot be archived, or if reading the archive gives another text.
  ///
  /// - Throws: `ModelFileError` if a bound is not a value of the attribute's type.
  mutating func validation(
    of attribute: ModelDocument.Attribute,
    details: inout ArchivedDetails
  ) throws(ModelFileError) -> [KeyedArchiveWriter.Field] {
    var predicates: [Int] = []
    var warnings: [Int] = []
    let minimum = try attribute.minimum()
    let maximum = try attribute.maximum()
    if let minimum {
      predicates.append(bound(minimum, operator: 3, of: attribute))
      warnings.append(archive.integer(Self.codes(attribute.type).tooSmall))
    }
    if let maximum {
      predicates.append(bound(maximum, operator: 1, of: attribute))
      warnings.append(archive.integer(Self.codes(attribute.type).tooLarge))
    }
    addTexts(of: attribute, minimum: minimum, maximum: maximum, details: &details)
    var texts: [Int] = []
    for validation in attribute.validations {
      let code = validation.code.map { archive.integer(Int64($0)) }
      let warning = validation.warning.map { archive.string($0) } ?? code ?? archive.integer(1550)
      if let uid = FormatArchiver.predicate(validation.predicate, in: &archive) {
        predicates.append(uid)
        warnings.append(warning)
      } else {
        texts += [archive.string(validation.predicate), warning]
      }
    }
    var fields: [KeyedArchiveWriter.Field] = []
    if !predicates.isEmpty {
      fields.append(("NSValidationPredicates", .uid(archive.collection(.array, uids: predicates))))
      fields.append(("NSValidationWarnings", .uid(archive.collection(.array, uids: warnings))))
    }
    if !texts.isEmpty { fields.append((Self.validationTexts, .uid(archive.collection(.array, uids: texts)))) }
    return fields
  }

  /// The key of the conditions that are kept as texts, each followed by its warning or code.
  static let validationTexts = "PerennialValidations"

  /// The codes of Apple's validation errors for values beyond a bound.
  private static func codes(_ type: ModelDocument.AttributeType?) -> (tooSmall: Int64, tooLarge: Int64) {
    switch type {
    case .string: (1670, 1660)
    case .date: (1640, 1630)
    default: (1620, 1610)
    }
  }

  /// `SELF >= 3`, and of strings `length >= 3`.
  private mutating func bound(
    _ value: ModelDocument.Value,
    operator type: Int64,
    of attribute: ModelDocument.Attribute
  ) -> Int {
    let left = FormatArchiver.expression(attribute.type == .string ? "length" : "SELF", in: &archive) ?? 0
    let constant = archive.value(value)
    let right = archive.object(
      .constantExpression,
      fields: [("NSExpressionType", .integer(0)), ("NSConstantValue", .uid(constant))]
    )
    let sign = archive.object(
      .comparisonOperator,
      fields: [
        ("NSModifier", .integer(0)), ("NSOperatorType", .integer(type)), ("NSOptions", .integer(0)),
        ("NSVariant", .integer(type)),
      ]
    )
    return archive.object(
      .comparisonPredicate,
      fields: [
        ("NSLeftExpression", .uid(left)), ("NSRightExpression", .uid(right)),
        ("NSPredicateOperator", .uid(sign)),
      ]
    )
  }

  /// The texts of bounds that reading the archive would change: `0.0` of a whole number, and texts
  /// that are not bounds of the type.
  private func addTexts(
    of attribute: ModelDocument.Attribute,
    minimum: ModelDocument.Value?,
    maximum: ModelDocument.Value?,
    details: inout ArchivedDetails
  ) {
    details.append("regularExpressionString", text: attribute.regularExpressionString)
    let type = attribute.type?.boundType
    for (name, text, value) in [
      ("minValueString", attribute.minValueString, minimum),
      ("maxValueString", attribute.maxValueString, maximum),
    ] where type == .date || type.flatMap({ value?.text(for: $0) }) != text {
      details.append(name, text: text)
    }
    if type == .date { return }
    for name in ["minDateTimeInterval", "maxDateTimeInterval"] {
      details.append(name, text: Self.text(of: name, attribute: attribute))
    }
  }
}
