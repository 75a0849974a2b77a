#if !canImport(Darwin)
  import ArgumentParser
  import Foundation

  /// `perennial doctor [PACKAGE] [MODEL] [STORE] [--json]`
  struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor",
      abstract: "Say what is right and wrong with this machine, a model and a store.",
      usage: "perennial doctor [<options>] [<model-store> ...]",
      discussion: """
        The command, the system, the Swift that is in PATH and the libraries are looked at; a model, when one is \
        given; and a store: what it is, whether the model fits, whether it opens, and what perennial check finds \
        in it. Each line is ok, a note, or wrong with what can be done. The exit status is 0 when nothing is \
        wrong, 1 otherwise. It only reads; a transaction that a killed program has left half-written is rolled back. No \
        other program may write to the store meanwhile.
        """
    )

    @Argument(
      help: ArgumentHelp(
        """
        A model: an .xcdatamodeld, .xcdatamodel, .momd or .mom; a store: a file, or postgresql://…; and the folder of a \
        package, whose models are looked at.
        """,
        valueName: "model-store"
      ),
      completion: .modelAndStoreFiles
    )
    var subjects: [String] = []

    @Flag(help: "Print what was found as JSON.") var json = false
    @OptionGroup(title: "Waiting") var locking: LockOptions
    @OptionGroup(title: "Log") var logging: LogOptions

    func validate() throws {
      guard models.count < 2, stores.count < 2, packages.count < 2 else {
        throw ValidationError("Give at most one package, one model and one store.")
      }
    }

    func run() throws {
      var report = DoctorReport(diagnoses: [])
      try CommandFailure.reporting(logging) {
        report = DoctorReport(diagnoses: diagnoses)
        if json { return printExactly(try report.json()) }
        print(report.text, terminator: "")
      }
      if report.wrongCount > 0 { throw ExitCode.failure }
    }

    private var models: [String] {
      subjects.filter { ModelFile.extensions.contains(URL(fileURLWithPath: $0).pathExtension) }
    }

    private var stores: [String] { subjects.filter { !models.contains($0) && !packages.contains($0) } }

    private var packages: [String] { subjects.filter(PackageDoctor.isPackage) }

    private var diagnoses: [Diagnosis] {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      var found = MachineDoctor(path: path).diagnoses
      found += packages.first.map { PackageDoctor(folder: $0).diagnoses } ?? []
      let ofModel = models.first.map { ModelDoctor(path: $0).diagnoses } ?? []
      found += ofModel
      // An unreadable model says nothing about the store. The store may have another model next to it or in it.
      let model = ofModel.contains { $0.state == .wrong } ? nil : models.first
      if let store = stores.first {
        found +=
          StoreDoctor(store: StoreLocation(path: store), model: model, options: locking.storeOptions)
          .diagnoses
      }
      return found
    }
  }
#endif
