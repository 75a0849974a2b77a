import Testing

@testable import Seeding

@Suite("Decisions of pruning")
struct PruneDecisionTests {
  @Test("an object is pruned by the kind of pruning, never if a record describes it")
  func kinds() {
    for isOfRun in [false, true] {
      for isAbandoned in [false, true] {
        for isOfSeededEntity in [false, true] {
          func deletes(_ pruning: SeedPruning) -> Bool {
            PruneDecision.decide(
              pruning,
              isOfRun: isOfRun,
              isAbandoned: isAbandoned,
              isOfSeededEntity: isOfSeededEntity
            ).deletes
          }
          #expect(!deletes(.none))
          #expect(deletes(.own) == (isAbandoned && !isOfRun))
          #expect(deletes(.all) == (isOfSeededEntity && !isOfRun))
        }
      }
    }
  }

  @Test("an abandoned object is deleted unless a user has changed it and the store wins conflicts")
  func conflicts() {
    func conflict(isSeedTaken: Bool) -> SeedReport.Conflict {
      SeedReport.Conflict(
        position: SeedPosition(file: "notes.json"),
        entity: "Note",
        name: "Thyme",
        key: "text",
        present: "mine",
        new: "null",
        isSeedTaken: isSeedTaken,
        isDeletion: true
      )
    }
    #expect(PruneDecision.decide(onAbandonedWith: nil) == .delete)
    let kept = PruneDecision.decide(onAbandonedWith: conflict(isSeedTaken: false))
    #expect(kept == .conflict(isSeedTaken: false))
    #expect(!kept.deletes)
    let deleted = PruneDecision.decide(onAbandonedWith: conflict(isSeedTaken: true))
    #expect(deleted == .conflict(isSeedTaken: true))
    #expect(deleted.deletes)
  }
}
