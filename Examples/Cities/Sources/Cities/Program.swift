@main
enum Program {
  @MainActor
  static func main() throws { try CityWalk { print($0) }.walk() }
}
