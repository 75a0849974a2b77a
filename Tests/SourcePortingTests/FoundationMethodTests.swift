import SourcePorting
import Testing

@Suite("Methods of Foundation that are Apple's alone")
struct FoundationMethodTests {
  @Test(
    "String(localized:) of a plain text becomes NSLocalizedString",
    arguments: [
      ("String(localized: \"a\")", "NSLocalizedString(\"a\", comment: \"\")"),
      (
        "String(localized: \"a\", table: \"T\", bundle: .module, comment: \"c\")",
        "NSLocalizedString(\"a\", tableName: \"T\", bundle: .module, comment: \"c\")"
      ),
      (
        "String(localized: \"a\", defaultValue: \"A\")",
        "NSLocalizedString(\"a\", value: \"A\", comment: \"\")"
      ),
    ]
  )
  func localized(code: String, expected: String) {
    #expect(port("let a = \(code)").text == "let a = \(expected)")
    #expect(leftovers("let a = \(code)").isEmpty)
  }

  @Test(
    "a text with values in it, of another language or of an unknown bundle is listed",
    arguments: [
      "String(localized: \"\\(count) notes\")", "String(localized: \"100%\")", "String(localized: key)",
      "String(localized: \"a\", locale: locale)", "String(localized: \"a\", bundle: bundle)",
    ]
  )
  func format(code: String) {
    #expect(port("let a = \(code)").text == "let a = \(code)")
    #expect(leftovers("let a = \(code)").first?.contains("use NSLocalizedString") == true)
  }

  @Test("methods that Linux does not have are rewritten as both platforms have them")
  func replaced() {
    let file = port(
      "let a = ProcessInfo().globallyUniqueString, b = MAXFLOAT, c = d.MAXFLOAT, e = ProcessInfo(f)"
    )
    #expect(
      file.text
        == "let a = ProcessInfo.processInfo.globallyUniqueString, b = Float.greatestFiniteMagnitude, c = d.MAXFLOAT, e = ProcessInfo(f)"
    )
    #expect(file.leftovers.isEmpty)
    #expect(!port(file.text).isChanged)
  }

  @Test("a list becomes a set of Foundation if every property of the name is one")
  func sets() {
    let declarations = """
      class A { var one: NSSet?; var many: Kit.List; var both: NSSet }
      class B { var one: NSSet!; var both: [Int]; let changing: NSMutableSet = [1] }
      func fill(_ a: A) { a.one = [1, 2]; a.both = [1]; a.other = [1]; a.one = nil }
      """
    let ported = port(declarations)
    #expect(
      ported.text == """
        class A { var one: NSSet?; var many: Kit.List; var both: NSSet }
        class B { var one: NSSet!; var both: [Int]; let changing: NSMutableSet = NSMutableSet(array: [1]) }
        func fill(_ a: A) { a.one = NSSet(array: [1, 2]); a.both = [1]; a.other = [1]; a.one = nil }
        """
    )
    #expect(port(ported.text).text == ported.text)
  }

  @Test(
    "a test that waits without a limit gets Xcode's limit",
    arguments: [
      ("wait(for: [a])", "wait(for: [a], timeout: 600)"),
      (
        "self.wait(for: [a, b], enforceOrder: true)",
        "self.wait(for: [a, b], timeout: 600, enforceOrder: true)"
      ),
      ("XCTWaiter.wait(for: [a])", "XCTWaiter.wait(for: [a], timeout: 600)"),
      ("fulfillment(of: [a])", "fulfillment(of: [a], timeout: 600)"),
      ("wait(for: [a], timeout: 5)", "wait(for: [a], timeout: 5)"),
      ("wait(for: 5)", "wait(for: 5)"),
      ("line.wait(for: [a])", "line.wait(for: [a])"),
    ]
  )
  func waits(code: String, expected: String) {
    #expect(port(code).text == expected)
    #expect(port(expected).text == expected)
  }

  @Test("user defaults are read and written by their own methods if they are named")
  func defaults() {
    #expect(
      port("let a = UserDefaults.standard.value(forKey: k)").text
        == "let a = UserDefaults.standard.object(forKey: k)"
    )
    #expect(
      port("UserDefaults(suiteName: \"s\")?.setValue(1, forKey: k)").text
        == "UserDefaults(suiteName: \"s\")?.set(1, forKey: k)"
    )
    #expect(port("note.value(forKey: k)").text == "note.value(forKey: k)")
  }

  @Test(
    "user defaults in properties, variables and parameters are found by their declarations",
    arguments: [
      "class A {\n  let store = UserDefaults.standard\n  func f() { self.store.setValue(1, forKey: k) }\n}",
      "class A {\n  private var store: UserDefaults!\n  func f() { store.setValue(1, forKey: k) }\n}",
      "func f(in store: UserDefaults) { store.setValue(1, forKey: k) }",
      "func f() { guard let store = UserDefaults(suiteName: s) else { return }; store.setValue(1, forKey: k) }",
      "let store = UserDefaults(suiteName: s) ?? .standard\nfunc f() { store.setValue(1, forKey: k) }",
      "enum A {\n  static let store: UserDefaults = .standard\n}\nfunc f() { A.store.setValue(1, forKey: k) }",
    ]
  )
  func heldDefaults(code: String) {
    let ported = port(code)
    #expect(ported.text == code.replacing("setValue", with: "set"))
    #expect(!port(ported.text).isChanged)
  }

  @Test("an ambiguous name is not changed, and one of another file is found")
  func otherDefaults() {
    let call = "func f() { store.setValue(1, forKey: k) }\n"
    let declaration = "extension A { static let store = UserDefaults.standard }\n"
    #expect(port(call, with: declaration).isChanged)
    #expect(!port(call, with: declaration, "struct B { var store: [String: Any] }\n").isChanged)
    #expect(
      !port("func f(_ store: NSObject) { store.setValue(1, forKey: k) }\n", with: declaration).isChanged
    )
    #expect(!port("f { store in store.setValue(1, forKey: k) }\n", with: declaration).isChanged)
  }

  @Test(
    "folders that are shared with other programs and devices are listed",
    arguments: [
      ("m.containerURL(forSecurityApplicationGroupIdentifier: g)", "application groups are not there"),
      ("m.url(forUbiquityContainerIdentifier: nil)", "iCloud is not there"),
      ("m.ubiquityIdentityToken != nil", "iCloud is not there"),
      ("try m.startDownloadingUbiquitousItem(at: u)", "iCloud is not there"),
    ]
  )
  func sharedFolders(code: String, reason: String) {
    #expect(leftovers("let a = \(code)").count == 1)
    #expect(leftovers("let a = \(code)").first?.contains(reason) == true)
    #expect(leftovers("let a = m.url(for: .cachesDirectory)").isEmpty)
  }

  @Test("a bundle's lists become URLs without Objective-C")
  func urls() {
    let file = port("let a = bundle.urls(forResourcesWithExtension: \"mom\", subdirectory: nil)?.first\n")
    #expect(
      file.text == """
        #if canImport(ObjectiveC)
        let a = bundle.urls(forResourcesWithExtension: "mom", subdirectory: nil)?.first
        #else
        let a = bundle.urls(forResourcesWithExtension: "mom", subdirectory: nil).map({ $0.map { $0 as URL } })?.first
        #endif

        """
    )
    #expect(port(file.text).text == file.text)
  }

  @Test(
    "ways to bundles that packages do not have are listed",
    arguments: [
      "Bundle(for: A.self)", "Bundle(identifier: \"a\")", "Bundle.allBundles", "Bundle.allFrameworks",
    ]
  )
  func bundles(code: String) {
    #expect(leftovers("let a = \(code)").count == 1)
    #expect(leftovers("let a = \(code)").first?.contains("Bundle.module") == true)
    #expect(leftovers("let a = Bundle(url: url)").isEmpty)
  }

  @Test("replacing a file by another one is listed")
  func replacing() {
    #expect(
      leftovers("try m.replaceItem(at: a, withItemAt: b, backupItemName: nil, resultingItemURL: nil)").count
        == 1
    )
    #expect(leftovers("try m.replaceItemAt(a, withItemAt: b)").first?.contains("removes the item") == true)
    #expect(leftovers("try list.replaceItem(at: 1)").isEmpty)
  }
}
