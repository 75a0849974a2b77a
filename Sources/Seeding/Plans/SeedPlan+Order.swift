import Texts

extension SeedPlan {
  /// The steps in the order in which they run: the first that waits for nothing, again and again.
  func orderedSteps() throws -> [Step] {
    try checkNames()
    var waiting = steps
    var ordered: [Step] = []
    var done: Set<String> = []
    while !waiting.isEmpty {
      guard let index = waiting.firstIndex(where: { done.isSuperset(of: $0.dependencies) }) else {
        throw Self.circle(among: waiting)
      }
      let step = waiting.remove(at: index)
      done.insert(step.name)
      ordered.append(step)
    }
    return ordered
  }

  private func checkNames() throws {
    var names: Set<String> = []
    for step in steps where !names.insert(step.name).inserted {
      throw SeedError(
        code: .wrongPlan,
        problem: "two steps of the plan have the name \"\(step.name)\"",
        remedy: "give each a name of its own"
      )
    }
    for step in steps {
      guard let unknown = step.dependencies.first(where: { !names.contains($0) }) else { continue }
      throw SeedError(
        code: .wrongPlan,
        problem: "the step \"\(step.name)\" is to come after \"\(unknown)\", which is not a step of the plan",
        remedy: Suggestion.remedy("name", word: unknown, among: names.sorted(), of: "the steps are")
      )
    }
  }

  /// Every waiting step waits for another waiting step, so that following the dependencies leads to a cycle.
  private static func circle(among waiting: [Step]) -> SeedError {
    var names: [String] = []
    var next = waiting.first
    while let step = next, !names.contains(step.name) {
      names.append(step.name)
      next = waiting.first { other in step.dependencies.contains(other.name) }
    }
    let first = next?.name ?? ""
    let circle = names.drop { $0 != first } + [first]
    return SeedError(
      code: .wrongPlan,
      problem: "steps of the plan wait for each other: "
        + circle.map { "\"\($0)\"" }.joined(separator: " after "),
      remedy: "take one of them out of what another comes after"
    )
  }
}
