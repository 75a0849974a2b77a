/// A line as `JSONDecoder` reads it.
struct NoteLine: Decodable {
  let title: String?
  let contents: String?
  let createdAt: Double?
  let updatedAt: Double?
  let category: String?
  let tags: [String]?
}
