import CoreData

/// Prints the moods of each country.
@main
@MainActor
struct Program {
  static func main() throws {
    let store = try MoodStore(URL(fileURLWithPath: "Moods.sqlite"))
    for country in try store.countries() {
      print("Country \(country.numericISO3166Code)")
      for mood in country.moods.sorted(by: { $0.date < $1.date }) {
        print("  \(mood.date.formatted(.iso8601))")
      }
    }
  }
}
