import SourcePorting
import Testing

@Suite("Observers of notifications")
struct ObserverTests {
  /// A class whose initialiser registers it as an observer with the declared method.
  private func watcher(
    _ registration: String,
    method: String = "@objc func changed(_ note: Notification) {}",
    heading: String = "final class Watcher: NSObject"
  ) -> String {
    """
    \(heading) {
      func start() {
        \(registration)
      }
      \(method)
    }

    """
  }

  private func registration(_ selector: String, observer: String = "self") -> String {
    "center.addObserver(\(observer), selector: #selector(\(selector)), name: .Changed, object: list)"
  }

  /// The statement in the `#else` branch.
  private func closure(_ text: String) -> String? {
    let lines = port(text).text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    return lines.firstIndex(of: "#else").map { lines[$0 + 1] }
  }

  @Test("a registration by a selector is written a second time, by a closure that calls the method")
  func written() {
    let ported = port(
      """
      final class Watcher {
        init() {
          // Saves.
          NotificationCenter.default.addObserver(
            self,
            selector: #selector(changed(_:)),
            name: .NSManagedObjectContextDidSave,
            object: nil
          )
        }
        deinit { NotificationCenter.default.removeObserver(self) }
        @objc private func changed(_ note: Notification) {}
      }

      """
    )
    #expect(
      ported.text == """
        final class Watcher {
          init() {
            // Saves.
            #if canImport(ObjectiveC)
            NotificationCenter.default.addObserver(
              self,
              selector: #selector(changed(_:)),
              name: .NSManagedObjectContextDidSave,
              object: nil
            )
            #else
            _ = NotificationCenter.default.addObserver(
              forName: .NSManagedObjectContextDidSave,
              object: nil, queue: nil
            ) { [weak self] in self?.changed($0) }
            #endif
          }
          deinit { NotificationCenter.default.removeObserver(self) }
          #if canImport(ObjectiveC)
          @objc
          #endif
          private func changed(_ note: Notification) {}
        }

        """
    )
    #expect(ported.leftovers.isEmpty)
    #expect(port(ported.text).text == ported.text)
  }

  @Test(
    "the method is called with the arguments that it takes",
    arguments: [
      ("changed", "@objc func changed(_ note: Notification) {}", "{ [weak self] in self?.changed($0) }"),
      (
        "changed(note:)", "@objc func changed(note: Notification?) {}",
        "{ [weak self] in self?.changed(note: $0) }"
      ),
      ("Watcher.changed", "@objc func changed() {}", "{ [weak self] _ in self?.changed() }"),
      ("self.changed(_:)", "@objc func changed(_ any: Any) {}", "{ [weak self] in self?.changed($0) }"),
      (
        "changed(_:)", "@objc func changed(_ note: NSNotification) {}",
        "{ [weak self] in self?.changed(NSNotification(name: $0.name, object: $0.object, userInfo: $0.userInfo)) }"
      ),
      // The method is inherited from a class in another module.
      ("changed(_:)", "", "{ [weak self] in self?.changed($0) }"),
    ]
  )
  func calls(selector: String, method: String, call: String) {
    #expect(
      closure(watcher(registration(selector), method: method))
        == "_ = center.addObserver(forName: .Changed, object: list, queue: nil) \(call)"
    )
  }

  @Test("the method is found in extensions and superclasses in other files")
  func elsewhere() {
    let text = watcher(registration("changed"), method: "", heading: "final class Watcher: Base")
    let ported = port(text, with: "class Base: NSObject {}\nextension Base { @objc func changed() {} }\n")
    #expect(ported.text.contains("{ [weak self] _ in self?.changed() }"))
  }

  @Test(
    "a registration that a closure cannot replace is listed with what to do",
    arguments: [
      ("changed", "other", "@objc func changed() {}", "a closure that calls the method of the observer"),
      ("changed", "self", "", "calls the method with what it takes"),
      ("changed", "self", "@objc func changed(_ list: List) {}", "calls the method with what it takes"),
      ("changed", "self", "@objc func changed() async {}", "in a task of the method's actor"),
      ("changed", "self", "@MainActor @objc func changed() {}", "in a task of the method's actor"),
      (
        "changed", "self", "@objc func changed() {}\n  func stop() { center.removeObserver(self) }",
        "remove that one in place of self"
      ),
    ]
  )
  func listed(selector: String, observer: String, method: String, remedy: String) {
    let text = watcher(registration(selector, observer: observer), method: method)
    let found = leftovers(text)
    #expect(found.count == 1)
    #expect(found[0].contains("#selector needs Objective-C; ") && found[0].hasSuffix(remedy), "\(found)")
    #expect(!port(text).text.contains("#else"))
  }

  @Test("other selectors are listed as usual")
  func others() {
    #expect(leftovers("let s = #selector(f)").count == 1)
    #expect(leftovers("view.addObserver(self, selector: #selector(f))").count == 1)
  }
}
