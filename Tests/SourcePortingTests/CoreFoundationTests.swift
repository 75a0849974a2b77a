import SourcePorting
import Testing

@Suite("Core Foundation and the parts of Foundation")
struct CoreFoundationTests {
  @Test(
    "functions and types of Core Foundation need its import, which is added after the others",
    arguments: [
      "let a = CFAbsoluteTimeGetCurrent()", "var a: CFRunLoopObserver?", "let a: CFTimeInterval = 1",
      "CFRunLoopWakeUp(CFRunLoopGetMain())",
    ]
  )
  func imported(code: String) {
    let text = "import Foundation\nimport CoreFoundation\n\n\(code)\n"
    #expect(port("import Foundation\n\n\(code)\n").text == text)
    #expect(port(text).text == text)
    #expect(leftovers(text).isEmpty)
  }

  @Test("names that the module itself declares need no import")
  func own() {
    let code = "let a: CFRunLoopGuard\nKit.CFRunLoopRun()"
    #expect(port(code, with: "struct CFRunLoopGuard {}").text == code)
  }

  @Test("a mode of run loops has C's name without Objective-C")
  func modes() {
    let file = port("import CoreFoundation\nCFRunLoopAddObserver(loop, observer, .commonModes)\n")
    #expect(
      file.text == """
        import CoreFoundation
        #if canImport(ObjectiveC)
        CFRunLoopAddObserver(loop, observer, .commonModes)
        #else
        CFRunLoopAddObserver(loop, observer, kCFRunLoopCommonModes)
        #endif

        """
    )
    #expect(port(file.text).text == file.text)
    #expect(
      port("import CoreFoundation\nf { CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 1, true) }").text
        .contains("CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, true)")
    )
    #expect(
      port("RunLoop.main.add(timer, forMode: .common)").text == "RunLoop.main.add(timer, forMode: .common)"
    )
    #expect(leftovers("import CoreFoundation\nf(); CFRunLoopAddTimer(a, b, .commonModes)").count == 1)
  }

  @Test(
    "types in FoundationNetworking and FoundationXML are imported from there",
    arguments: [
      ("let a = URLSession.shared", "FoundationNetworking"), ("var a: URLRequest", "FoundationNetworking"),
      ("class A: NSObject, XMLParserDelegate {}", "FoundationXML"),
    ]
  )
  func parts(code: String, module: String) {
    let text = "import Foundation\n#if canImport(\(module))\nimport \(module)\n#endif\n\(code)\n"
    #expect(port("import Foundation\n\(code)\n").text == text)
    #expect(port(text).text == text)
    #expect(port("public import Foundation\n\(code)\n").text.contains("public import \(module)"))
    #expect(
      port(code, with: "class URLSession {}\nstruct URLRequest {}\nprotocol XMLParserDelegate {}").text
        == code
    )
  }

  @Test(
    "a stream that is given to a function of C lets the import of Foundation overlook that it is a variable"
  )
  func streams() {
    let text =
      "#if !canImport(ObjectiveC)\n@preconcurrency\n#endif\nimport Foundation\nfputs(\"a\", stderr)\n"
    #expect(port("import Foundation\nfputs(\"a\", stderr)\n").text == text)
    #expect(port(text).text == text)
    for code in [
      "import Foundation\nlet a = result.stderr\n", "@preconcurrency import Foundation\nfflush(stdout)\n",
    ] {
      #expect(port(code).text == code)
    }
  }

  @Test("CoreGraphics and ObjectiveC are Foundation here as far as the file uses them")
  func plain() {
    let text =
      "#if canImport(CoreGraphics)\nimport CoreGraphics\n#else\nimport Foundation\n#endif\nlet a: CGFloat = 1\n"
    #expect(port("import CoreGraphics\nlet a: CGFloat = 1\n").text == text)
    #expect(port(text).text == text)
    #expect(
      port("public import ObjectiveC\nclass A: NSObject {}").text.contains(
        "#else\npublic import Foundation\n#endif"
      )
    )
    #expect(
      port("import CoreGraphics\nimport Foundation\n").text
        == "#if canImport(CoreGraphics)\nimport CoreGraphics\n#endif\nimport Foundation\n"
    )
    for code in [
      "import CoreGraphics\nlet a: CGContext", "import ObjectiveC\nobjc_getAssociatedObject(a, b)",
    ] {
      #expect(port(code).text == code)
      #expect(leftovers(code).first?.contains("wrap the import and what needs it") == true)
    }
  }
}
