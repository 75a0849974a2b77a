#if PostgreSQL
  import CoreData
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite("Stores in PostgreSQL in a program that links their target")
  struct PostgreSQLLinkingTests {
    @Test("the type of stores in PostgreSQL has the class of the target that is linked")
    func linked() throws {
      #expect(try StoreTypes.storeClass(of: NSPostgreSQLStoreType) == PostgreSQLStore.self)
      #expect(ServerStoreType(address: "postgresql://host/shop")?.isLinked == true)
    }

    @Test("metadata of a store in PostgreSQL wait for a save that records them itself")
    func metadata() throws {
      let store = PostgreSQLStore(
        persistentStoreCoordinator: nil,
        configurationName: nil,
        at: StoreFile.nowhere,
        options: nil
      )
      let general: any ObjectStore = store
      store.metadataState.wereLoaded(StoreMetadata(uuid: "1", properties: [:]))
      #expect(!general.hasUnsavedMetadata)
      store.metadata["seed"] = "v1"
      #expect(general.hasUnsavedMetadata)
      _ = try general.savingMetadata { .saved(permanentReferences: [:]) }
      #expect(general.hasUnsavedMetadata)
    }
  }
#endif
