/// The contents of a new package's files.
struct PackageTexts {
  let name: String
  let origin: PackageOrigin

  /// The manifest. It enables only the plugin's trait, so that a package resolves and compiles little.
  var manifest: String {
    """
    // swift-tools-version: 6.1
    import PackageDescription

    // On Apple's platforms `import CoreData` is the framework of the system.
    let coreData = Target.Dependency.product(
      name: "CoreData",
      package: "\(origin.package)",
      condition: .when(platforms: [.linux, .android, .windows])
    )

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        .package(\(origin.dependency), traits: ["Plugin"])
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [coreData, .product(name: "Seeding", package: "\(origin.package)")],
          resources: [.copy("seed.json")],
          plugins: [.plugin(name: "CoreDataModelPlugin", package: "\(origin.package)")]
        ),
        .testTarget(name: "\(name)Tests", dependencies: ["\(name)", coreData]),
      ]
    )

    """
  }

  static let ignored = """
    .build/
    .swiftpm/
    .DS_Store
    *.sqlite
    *.sqlite-shm
    *.sqlite-wal

    """

  var currentVersion: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(name).xcdatamodel</string>
    </dict>
    </plist>

    """
  }

  static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
    systemVersion="23A344" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
    userDefinedModelVersionIdentifier="">
        <entity name="Note" representedClassName="Note" syncable="YES">
            <attribute name="contents" optional="YES" attributeType="String"/>
            <attribute name="createdAt" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
            <attribute name="title" attributeType="String"/>
            <relationship name="topics" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Topic" inverseName="notes" inverseEntity="Topic"/>
        </entity>
        <entity name="Topic" representedClassName="Topic" syncable="YES">
            <attribute name="name" attributeType="String"/>
            <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="topics" inverseEntity="Note"/>
        </entity>
    </model>

    """

  var classes: String {
    """
    import CoreData

    // The classes of the entities in \(name).xcdatamodeld. The plugin writes their accessors.

    /// Something that was seen.
    final class Note: NSManagedObject {
      @NSManaged var title: String
      @NSManaged var contents: String?
      @NSManaged var createdAt: Date?
      @NSManaged var topics: Set<Topic>
    }

    /// A word that notes have in common.
    final class Topic: NSManagedObject {
      @NSManaged var name: String
      @NSManaged var notes: Set<Note>
    }

    """
  }

  var notebook: String {
    """
    import CoreData
    import Seeding

    /// The notes of a store.
    @MainActor
    struct Notebook {
      private let container = NSPersistentContainer(name: "\(name)")

      /// Opens a store, and makes it where it is missing.
      init(_ store: NSPersistentStoreDescription) throws {
        container.persistentStoreDescriptions = [store]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        container.viewContext.automaticallyMergesChangesFromParent = true
      }

      /// Takes in the notes of seed.json, unless the store has done so before.
      @discardableResult
      func seed() async throws -> SeedReport {
        try await Seeder(.bundle(.module, "seed.json")).run(in: container)
      }

      /// The notes of a topic, or all of them, by their titles.
      func notes(of topic: String? = nil) throws -> [Note] {
        let request = NSFetchRequest<Note>(entityName: "Note")
        if let topic {
          request.predicate = NSPredicate(format: "ANY topics.name == %@", argumentArray: [topic])
        }
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try container.viewContext.fetch(request)
      }
    }

    """
  }

  var program: String {
    """
    import CoreData

    /// Prints the notes of a folder's store, or those of a topic: `\(name) [FOLDER [TOPIC]]`.
    @main
    @MainActor
    struct Program {
      static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let folder = URL(fileURLWithPath: arguments.first ?? ".")
        let store = NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
        let notebook = try Notebook(store)
        try await notebook.seed()
        for note in try notebook.notes(of: arguments.dropFirst().first) {
          let topics = note.topics.map(\\.name).sorted().joined(separator: ", ")
          print("\\(note.title) (\\(topics))")
        }
      }
    }

    """
  }

  static let seed = """
    {
      "topics": [
        {"name": "Birds"},
        {"name": "Plants"},
        {"name": "Spring"}
      ],
      "notes": [
        {
          "title": "The swifts are back",
          "contents": "Three of them over the roof, as every year in the first days of May.",
          "createdAt": "2026-05-03",
          "topics": ["Birds", "Spring"]
        },
        {
          "title": "Cowslips on the bank",
          "contents": "More than last year, since nobody mows there before July.",
          "createdAt": "2026-04-18",
          "topics": ["Plants", "Spring"]
        },
        {
          "title": "A robin sings under the lamp",
          "contents": "In the middle of the night, and all through December.",
          "createdAt": "2025-12-11",
          "topics": ["Birds"]
        }
      ]
    }

    """

  var tests: String {
    """
    import CoreData
    import Testing

    @testable import \(name)

    @Suite("The notebook")
    @MainActor
    struct NotebookTests {
      private let notebook: Notebook

      /// Each test has a store of its own, in memory.
      init() async throws {
        let store = NSPersistentStoreDescription()
        store.type = NSInMemoryStoreType
        notebook = try Notebook(store)
        try await notebook.seed()
      }

      @Test("all notes of the seed are there")
      func all() throws {
        #expect(
          try notebook.notes().map(\\.title) == [
            "A robin sings under the lamp", "Cowslips on the bank", "The swifts are back",
          ]
        )
      }

      @Test("notes are found by a topic, and lead to all that they have")
      func topic() throws {
        let notes = try notebook.notes(of: "Spring")
        #expect(notes.map(\\.title) == ["Cowslips on the bank", "The swifts are back"])
        #expect(notes.map { $0.topics.map(\\.name).sorted() } == [["Plants", "Spring"], ["Birds", "Spring"]])
      }
    }

    """
  }
}
