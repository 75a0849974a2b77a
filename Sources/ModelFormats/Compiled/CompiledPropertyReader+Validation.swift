import Foundation

extension CompiledPropertyReader {
  /// Reads the conditions of an attribute: conditions that express bounds as bounds, the others unchanged.
  func readValidation(
    _ archived: ArchivedInstance,
    into attribute: inout ModelDocument.Attribute
  ) throws(ModelFileError) {
    let predicates = try archived.instance("NSValidationPredicates")?.elements() ?? []
    let warnings = try archived.instance("NSValidationWarnings")?.elements() ?? []
    for (index, uid) in predicates.enumerated() {
      guard let predicate = try archive.instance(uid) else { continue }
      if try readBound(predicate, into: &attribute) { continue }
      var validation = ModelDocument.Validation(predicate: try expressions.text(ofPredicate: predicate))
      if warnings.indices.contains(index) { try read(warning: warnings[index], into: &validation) }
      attribute.validations.append(validation)
    }
    let texts = try archived.instance(CompiledModelWriter.validationTexts)?.elements() ?? []
    for index in stride(from: 0, to: texts.count - 1, by: 2) {
      guard let predicate = try archive.text(texts[index]) else { continue }
      var validation = ModelDocument.Validation(predicate: predicate)
      try read(warning: texts[index + 1], into: &validation)
      attribute.validations.append(validation)
    }
  }

  private func read(warning uid: Int, into validation: inout ModelDocument.Validation) throws(ModelFileError) {
    switch try ModelDocument.Value(uid: uid, archive: archive) {
    case .integer(let code)?: validation.code = Int(clamping: code)
    case .string(let text)?: validation.warning = text
    default: break
    }
  }

  /// Reads `SELF >= 3`, `length <= 5` and `SELF MATCHES "…"`; `false` when the predicate is another one.
  private func readBound(
    _ predicate: ArchivedInstance,
    into attribute: inout ModelDocument.Attribute
  ) throws(ModelFileError) -> Bool {
    guard predicate.className == "NSComparisonPredicate", let boundType = attribute.type?.boundType else {
      return false
    }
    let comparison = try ArchivedComparison(predicate)
    guard comparison.modifier.isEmpty, comparison.options.isEmpty,
      comparison.right.className == "NSConstantValueExpression",
      let value = try ModelDocument.Value(comparison.right, key: "NSConstantValue")
    else { return false }
    let left = try expressions.text(of: comparison.left)
    if attribute.type == .string, left == "SELF", comparison.type == 6, case .string(let pattern) = value {
      attribute.regularExpressionString = pattern
      return true
    }
    guard left == (attribute.type == .string ? "length" : "SELF") else { return false }
    let text = value.text(for: boundType)
    guard boundType == .date || ModelDocument.Value(text, type: boundType) != nil else { return false }
    switch (comparison.type, value) {
    case (3, .date(let date)): attribute.minDateTimeInterval = date.timeIntervalSinceReferenceDate
    case (1, .date(let date)): attribute.maxDateTimeInterval = date.timeIntervalSinceReferenceDate
    case (3, _) where boundType != .date: attribute.minValueString = text
    case (1, _) where boundType != .date: attribute.maxValueString = text
    default: return false
    }
    return true
  }
}
