import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Compares the collections of this framework with those of Foundation, member by member.
///
/// `FoundationMembers` contains all public members. Foundation on Linux implements some members by others, and some by
/// storage that a subclass does not have. Only calling each member shows which.
@Suite("Members of Foundation's collections")
struct FoundationCollectionTests {
  @Test("each member of Foundation's collections has a test, and each test a member")
  func complete() {
    #expect(
      Set(FoundationMembers.orderedSet).symmetricDifference(OrderedSetMembers.calls.keys)
        .subtracting(OrderedSetMembers.withoutSet) == []
    )
    #expect(
      Set(FoundationMembers.set).symmetricDifference(SetMembers.calls.keys)
        .subtracting(SetMembers.withoutSet).subtracting(SetMembers.impossible) == []
    )
    #expect(
      Set(FoundationMembers.dictionary).symmetricDifference(DictionaryMembers.calls.keys)
        .subtracting(DictionaryMembers.withoutDictionary).subtracting(DictionaryMembers.impossible) == []
    )
  }

  @Test(
    "the list of members is the toolchain's, and no other class of this framework is such a collection",
    .enabled(if: MemberList.canBeMade, "there is no swift-symbolgraph-extract or python3 here")
  )
  func current() throws {
    let (status, output) = try MemberList.check()
    #expect(status == 0, "\(output)")
  }

  @Test(
    "mutableOrderedSetValue answers as a plain ordered set",
    arguments: OrderedSetMembers.calls.keys.sorted()
  )
  func orderedSet(_ name: String) throws {
    var comparison = try OrderedComparison(seed: 1)
    for _ in 0..<40 {
      comparison.change()
      comparison.call(name)
    }
  }

  @Test("mutableSetValue answers as a plain set", arguments: SetMembers.calls.keys.sorted())
  func set(_ name: String) throws {
    var comparison = try SetComparison(seed: 1)
    for _ in 0..<40 {
      comparison.change()
      comparison.call(name)
    }
  }

  @Test(
    "the dictionary of a batch insertion answers as a plain dictionary",
    arguments: DictionaryMembers.calls.keys.sorted()
  )
  func dictionary(_ name: String) throws {
    try DictionaryComparison.run { comparison in
      for _ in 0..<40 {
        comparison.change()
        comparison.call(name)
      }
    }
  }
}

/// Runs many consecutive calls of random members.
@Suite("Random calls of collections")
struct RandomCollectionTests {
  /// `Scripts/soak` runs 20 times as many.
  private static let rounds = Soak.rounds(5_000)

  @Test("an ordered set of a relationship stays equal to a plain one", arguments: [1, 2] as [UInt64])
  func orderedSet(_ seed: UInt64) throws {
    var comparison = try OrderedComparison(seed: seed)
    for _ in 0..<Self.rounds { comparison.round() }
  }

  @Test("a set of a relationship stays equal to a plain one", arguments: [1, 2] as [UInt64])
  func set(_ seed: UInt64) throws {
    var comparison = try SetComparison(seed: seed)
    for _ in 0..<Self.rounds { comparison.round() }
  }

  @Test("a dictionary of a batch insertion stays equal to a plain one", arguments: [1, 2] as [UInt64])
  func dictionary(_ seed: UInt64) throws {
    try DictionaryComparison.run(seed: seed) { comparison in
      for _ in 0..<Self.rounds { comparison.round() }
    }
  }
}
