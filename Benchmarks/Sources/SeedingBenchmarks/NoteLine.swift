/// A line of the file, which `JSONDecoder` decodes.
struct NoteLine: Decodable {
  let title: String?
  let contents: String?
  let createdAt: Double?
  let updatedAt: Double?
  let category: String?
  let tags: [String]?
}
