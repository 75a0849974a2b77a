#if !canImport(Darwin)
  import CoreData
  import Foundation
  import RemoteSeeding

  /// Examines the command itself, the system, the toolchain and the libraries.
  struct MachineDoctor {
    /// The folders in which programs are searched, in the form of PATH.
    let path: String
    /// The longest time that a program may take to print its version.
    var patience = Duration.seconds(60)

    var diagnoses: [Diagnosis] {
      [command, system, swift] + LinkedLibrary.all.flatMap(Self.diagnoses) + [Self.diagnosis(.current)]
    }

    // MARK: - The command

    private var command: Diagnosis {
      let traits = Self.traits.joined(separator: ", ")
      return .right(
        "command",
        words: "perennial \(PerennialVersion.current), built with the traits \(traits)"
      )
    }

    /// The package traits with which the command was built, by name.
    static var traits: [String] {
      var traits: [String] = []
      #if Browser
        traits.append("Browser")
      #endif
      #if Command
        traits.append("Command")
      #endif
      #if Plugin
        traits.append("Plugin")
      #endif
      #if Server
        traits.append("Server")
      #endif
      #if YAML
        traits.append("YAML")
      #endif
      return (traits + ServerStoreType.all.filter(\.isLinked).map(\.trait)).sorted()
    }

    private var system: Diagnosis {
      #if arch(x86_64)
        let architecture = "x86_64"
      #elseif arch(arm64)
        let architecture = "aarch64"
      #else
        let architecture = "another architecture"
      #endif
      let count = ProcessInfo.processInfo.activeProcessorCount
      let processors = count == 1 ? "1 processor" : "\(count) processors"
      return .right(
        "system",
        words: "\(ProcessInfo.processInfo.operatingSystemVersionString), \(architecture), \(processors)"
      )
    }

    // MARK: - The toolchain

    /// The oldest version of Swift that builds the package.
    static let leastSwift = (major: 6, minor: 2)

    private var swift: Diagnosis {
      guard let program = ProgramOutput.find("swift", in: path) else {
        return .note(
          "swift",
          words: "not in PATH; this command works without it, and packages are built with it"
        )
      }
      guard let text = ProgramOutput.read(program, arguments: ["--version"], within: patience) else {
        return .wrong(
          "swift",
          words: "\(program) does not tell its version",
          remedy: "see what \(program) --version says; install Swift from https://www.swift.org/install"
        )
      }
      return Self.diagnosis(ofSwift: text, at: program)
    }

    /// - Parameter text: the output of `swift --version`.
    static func diagnosis(ofSwift text: String, at program: String) -> Diagnosis {
      guard let match = text.firstMatch(of: /Swift version ([0-9]{1,4})\.([0-9]{1,4})(?:\.[0-9]{1,4})?/),
        let major = Int(match.output.1), let minor = Int(match.output.2)
      else {
        return .wrong(
          "swift",
          words: "\(program) names no version of Swift",
          remedy: "install Swift from https://www.swift.org/install"
        )
      }
      let words = "\(match.output.0) in \(program)"
      guard (major, minor) >= leastSwift else {
        return .wrong(
          "swift",
          words: words,
          remedy:
            "install Swift \(leastSwift.major).\(leastSwift.minor) or later: https://www.swift.org/install"
        )
      }
      return .right("swift", words: words)
    }

    // MARK: - The libraries

    /// - Parameter ability: What the machine offers for seeds from a URL. Nothing else needs it.
    static func diagnosis(_ ability: TransferAbility) -> Diagnosis {
      switch ability {
      case .version(let version): .right("libcurl", words: version)
      case .missing(let problem, let remedy): .note("libcurl", words: "\(problem); \(remedy)")
      }
    }

    static func diagnoses(of library: LinkedLibrary) -> [Diagnosis] {
      guard !library.problems.isEmpty else { return [.right(library.name, words: library.version)] }
      return library.problems.map { .wrong(library.name, words: "\(library.version): \($0)") }
    }
  }
#endif
