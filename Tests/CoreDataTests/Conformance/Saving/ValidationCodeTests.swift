import Foundation
import ModelFormats
import Testing

@testable import CoreData

@Suite("The codes of values that are refused")
struct ValidationCodeTests {
  /// An entity whose attributes have bounds, as model files specify them.
  private static let model = Result {
    let text = """
      <model><entity name="Reading">
        <attribute name="level" optional="YES" attributeType="Integer 32" minValueString="10" maxValueString="20"/>
        <attribute name="ratio" optional="YES" attributeType="Double" maxValueString="0.5"/>
        <attribute name="price" optional="YES" attributeType="Decimal" minValueString="1"/>
        <attribute name="takenAt" optional="YES" attributeType="Date" minDateTimeInterval="100"
          maxDateTimeInterval="200"/>
        <attribute name="code" optional="YES" attributeType="String" minValueString="2" maxValueString="4"
          regularExpressionString="[A-Z]+"/>
      </entity></model>
      """
    return try NSManagedObjectModel(document: try ModelDocument(contents: Data(text.utf8)))
  }

  /// The error code of a save that refuses a value; `nil` if the save succeeds.
  private func code(_ value: Any, _ key: String, _ kind: StoreKind) throws -> Int? {
    let stack = try Stack(kind, model: try Self.model.get())
    let reading = NSEntityDescription.insertNewObject(forEntityName: "Reading", into: stack.context)
    reading.setValue(value, forKey: key)
    do {
      try stack.context.save()
      return nil
    } catch let error as NSError {
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === reading)
      return error.code
    }
  }

  @Test("a number below its minimum", arguments: StoreKind.allCases)
  func tooSmall(_ kind: StoreKind) throws {
    #expect(try code(9, "level", kind) == NSValidationNumberTooSmallError)
    #expect(try code(10, "level", kind) == nil)
  }

  @Test("a number above its maximum", arguments: StoreKind.allCases)
  func tooLarge(_ kind: StoreKind) throws {
    #expect(try code(21, "level", kind) == NSValidationNumberTooLargeError)
    #expect(try code(20, "level", kind) == nil)
  }

  @Test("a fraction above its maximum", arguments: StoreKind.allCases)
  func fraction(_ kind: StoreKind) throws {
    #expect(try code(0.51, "ratio", kind) == NSValidationNumberTooLargeError)
    #expect(try code(0.5, "ratio", kind) == nil)
  }

  @Test("a decimal number below its minimum", arguments: StoreKind.allCases)
  func decimal(_ kind: StoreKind) throws {
    #expect(try code(NSDecimalNumber(string: "0.99"), "price", kind) == NSValidationNumberTooSmallError)
    #expect(try code(NSDecimalNumber(string: "1.00"), "price", kind) == nil)
  }

  @Test("a date before the first that is allowed", arguments: StoreKind.allCases)
  func tooSoon(_ kind: StoreKind) throws {
    #expect(
      try code(Date(timeIntervalSinceReferenceDate: 99), "takenAt", kind) == NSValidationDateTooSoonError
    )
    #expect(try code(Date(timeIntervalSinceReferenceDate: 100), "takenAt", kind) == nil)
  }

  @Test("a date after the last that is allowed", arguments: StoreKind.allCases)
  func tooLate(_ kind: StoreKind) throws {
    #expect(
      try code(Date(timeIntervalSinceReferenceDate: 201), "takenAt", kind) == NSValidationDateTooLateError
    )
  }

  @Test("a text that is too short", arguments: StoreKind.allCases)
  func tooShort(_ kind: StoreKind) throws {
    #expect(try code("A", "code", kind) == NSValidationStringTooShortError)
    #expect(try code("AB", "code", kind) == nil)
  }

  @Test("a text that is too long", arguments: StoreKind.allCases)
  func tooLong(_ kind: StoreKind) throws {
    #expect(try code("ABCDE", "code", kind) == NSValidationStringTooLongError)
    #expect(try code("ABCD", "code", kind) == nil)
  }

  @Test("a text that does not match its pattern", arguments: StoreKind.allCases)
  func pattern(_ kind: StoreKind) throws {
    #expect(try code("AB1", "code", kind) == NSValidationStringPatternMatchingError)
  }
}
