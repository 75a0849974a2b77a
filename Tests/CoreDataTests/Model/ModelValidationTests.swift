import Foundation
import ModelFormats
import Testing

@testable import CoreData

@Suite("The validation rules in a model file")
struct ModelValidationTests {
  private func attribute(_ xml: String) throws -> NSAttributeDescription {
    let text = "<model><entity name=\"E\"><attribute name=\"a\" \(xml)/></entity></model>"
    let model = try NSManagedObjectModel(document: try ModelDocument(contents: Data(text.utf8)))
    return try #require(model.entitiesByName["E"]?.attributesByName["a"])
  }

  /// The error codes with which a value is refused.
  private func codes(_ attribute: NSAttributeDescription, _ value: Any) -> [Int] {
    zip(attribute.validationPredicates, attribute.validationWarnings).compactMap { predicate, warning in
      predicate.evaluate(with: value) ? nil : (warning as? NSNumber)?.intValue
    }
  }

  @Test("a model file's bounds of numbers are validated with Apple's codes")
  func numbers() throws {
    let age = try attribute("attributeType=\"Integer 16\" minValueString=\"1\" maxValueString=\"9\"")
    #expect(codes(age, 5).isEmpty)
    #expect(codes(age, 0) == [NSValidationNumberTooSmallError])
    #expect(codes(age, 10) == [NSValidationNumberTooLargeError])
    #expect(age.validationPredicates.map(\.description) == ["SELF >= 1", "SELF <= 9"])
    let price = try attribute("attributeType=\"Decimal\" minValueString=\"0.5\"")
    #expect(codes(price, NSDecimalNumber(string: "0.4")) == [NSValidationNumberTooSmallError])
  }

  @Test("a model file's length limits and regular expressions of strings are validated")
  func strings() throws {
    let word = try attribute(
      "attributeType=\"String\" minValueString=\"2\" maxValueString=\"4\" regularExpressionString=\"[a-z]*\""
    )
    #expect(codes(word, "abc").isEmpty)
    #expect(codes(word, "a") == [NSValidationStringTooShortError])
    #expect(codes(word, "abcde") == [NSValidationStringTooLongError])
    #expect(codes(word, "ABC") == [NSValidationStringPatternMatchingError])
  }

  @Test("a model file's bounds of dates are validated")
  func dates() throws {
    let day = try attribute("attributeType=\"Date\" minDateTimeInterval=\"0\" maxDateTimeInterval=\"10\"")
    #expect(codes(day, Date(timeIntervalSinceReferenceDate: 5)).isEmpty)
    #expect(codes(day, Date(timeIntervalSinceReferenceDate: -1)) == [NSValidationDateTooSoonError])
    #expect(codes(day, Date(timeIntervalSinceReferenceDate: 11)) == [NSValidationDateTooLateError])
  }

  @Test("a validation by an invalid regular expression is refused")
  func brokenPattern() {
    #expect {
      _ = try attribute("attributeType=\"String\" regularExpressionString=\"[\"")
    } throws: {
      $0.localizedDescription
        == "line 1: entity E, attribute a, regularExpressionString: \"[\" is not a regular expression"
    }
  }

  @Test("predicates set in code replace a model file's validation, and a document keeps them")
  func setInCode() throws {
    let age = try attribute("attributeType=\"Integer 16\" minValueString=\"1\"")
    age.setValidationPredicates([NSPredicate(format: "SELF != 3")], withValidationWarnings: ["no threes"])
    #expect(age.validationPredicates.count == 1)
    let document = ModelDocument.Attribute(age)
    #expect(document.minValueString == nil)
    #expect(document.validations.map(\.predicate) == ["SELF != 3"])
    #expect(document.validations.map(\.warning) == ["no threes"])
  }
}
