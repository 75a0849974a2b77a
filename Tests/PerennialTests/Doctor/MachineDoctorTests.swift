#if !canImport(Darwin)
  import CoreData
  import Foundation
  import RemoteSeeding
  import Testing

  @testable import PerennialCommands

  @Suite("The doctor's report of a machine")
  struct MachineDoctorTests {
    /// Makes a folder with a program `swift` that executes a shell command.
    private func folder(doing line: String) throws -> URL {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let program = folder.appendingPathComponent("swift")
      try Data("#!/bin/sh\n\(line)\n".utf8).write(to: program)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
      return folder
    }

    private func swift(_ doctor: MachineDoctor) throws -> Diagnosis {
      try #require(doctor.diagnoses.first { $0.subject == "swift" })
    }

    @Test(
      "a Swift is good enough from 6.2 on",
      arguments: [
        ("Swift version 6.2 (swift-6.2-RELEASE)", true), ("Swift version 6.3.1 (swift-6.3.1-RELEASE)", true),
        ("Swift version 10.0", true), ("Apple Swift version 6.2.1", true), ("Swift version 6.1.3", false),
        ("Swift version 5.10", false), ("Swift version unknown", false), ("", false),
      ]
    )
    func versions(text: String, isRight: Bool) {
      let diagnosis = MachineDoctor.diagnosis(ofSwift: text, at: "/usr/bin/swift")
      #expect(diagnosis.state == (isRight ? .right : .wrong), "\(diagnosis)")
      #expect((diagnosis.remedy == nil) == isRight)
      #expect(diagnosis.words.contains("/usr/bin/swift"))
    }

    @Test("the first swift in PATH is asked")
    func asked() throws {
      let folders = [
        try folder(doing: "echo 'Swift version 6.4 (swift-6.4-RELEASE)'"),
        try folder(doing: "echo 'Swift version 5.1'"),
      ]
      defer { folders.forEach { try? FileManager.default.removeItem(at: $0) } }
      let path = "/nowhere::\(folders[0].path):\(folders[1].path)"
      #expect(
        try swift(MachineDoctor(path: path, patience: .seconds(86_400)))
          == .right("swift", words: "Swift version 6.4 in \(folders[0].path)/swift")
      )
    }

    @Test("a machine without Swift is not reported as wrong")
    func none() throws {
      #expect(try swift(MachineDoctor(path: "/nowhere")).state == .note)
      #expect(try swift(MachineDoctor(path: "")).state == .note)
    }

    @Test("a swift that fails, or does not answer in time, is reported as wrong")
    func silent() throws {
      let failing = try folder(doing: "exit 3")
      let endless = try folder(doing: "exec tail -f /dev/null")
      defer { [failing, endless].forEach { try? FileManager.default.removeItem(at: $0) } }
      #expect(try swift(MachineDoctor(path: failing.path)).state == .wrong)
      #expect(try swift(MachineDoctor(path: endless.path, patience: .seconds(1))).state == .wrong)
    }

    @Test("a library that falls short is a line for each thing, with the remedy in it")
    func libraries() {
      let library = LinkedLibrary(name: "SQLite", version: "3.7.0", problems: ["it is old", "it is small"])
      #expect(
        MachineDoctor.diagnoses(of: library) == [
          .wrong("SQLite", words: "3.7.0: it is old"), .wrong("SQLite", words: "3.7.0: it is small"),
        ]
      )
    }

    @Test("a machine without libcurl is right, and the note names the package")
    func transfers() {
      #expect(MachineDoctor.diagnosis(.version("7.88.1")) == .right("libcurl", words: "7.88.1"))
      #expect(
        MachineDoctor.diagnosis(.missing(problem: "it is not installed", remedy: "install it"))
          == .note("libcurl", words: "it is not installed; install it")
      )
    }
  }
#endif
