import CoreData

/// Prints the stars of the user's store, after one of them became a favourite: `Sky [STAR]`.
@main
@MainActor
struct Program {
  static func main() throws {
    let sky = try Sky(URL(fileURLWithPath: "MySky.sqlite"))
    print(sky.isNew ? "A new sky" : "The sky of an earlier launch")
    if let name = CommandLine.arguments.dropFirst().first { try sky.favour(name) }
    for star in try sky.stars() {
      print("\(star.isFavourite ? "*" : " ") \(star.name), \(star.constellation?.name ?? "nowhere")")
    }
  }
}
