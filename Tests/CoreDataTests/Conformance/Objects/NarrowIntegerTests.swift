import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Integers of 16 and 32 bits")
struct NarrowIntegerTests {
  @Test("a number that the attribute has no room for fails the save", arguments: StoreKind.allCases)
  func refused(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let page = Page(context: stack.context)
    for (number, code) in [
      (70_000, NSValidationNumberTooLargeError), (-32_769, NSValidationNumberTooSmallError),
    ] {
      page.setValue(number, forKey: "number")
      let error = #expect(throws: NSError.self) { try stack.context.save() }
      #expect(error?.code == code && error?.userInfo[NSValidationKeyErrorKey] as? String == "number")
      #expect(error?.localizedDescription.contains("from -32768 to 32767") == true)
      var value: AnyObject? = NSNumber(value: number)
      #expect(throws: NSError.self) { try page.validateValue(&value, forKey: "number") }
    }
    for number in [Int(Int16.max), Int(Int16.min)] {
      page.setValue(number, forKey: "number")
      try stack.save()
      #expect(page.number == number)
    }
    let note = stack.note("one")
    note.setValue(Int64(Int32.max) + 1, forKey: "medium")
    #expect(throws: NSError.self) { try stack.context.save() }
  }

  @Test(
    "a number that a property has no room for does not read as another",
    arguments: StoreKind.storesAndChildren
  )
  func read(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let page = Page(context: stack.context)
    page.setValue(70_000, forKey: "number")
    #expect(page.value(forKey: "number") as? Int == 70_000)
    let narrow: Int16? = page.managedValue("number")
    #expect(narrow == nil && page.number == 0)
    let wide: Int = page.managedValue("number")
    #expect(wide == 70_000)
  }
}
