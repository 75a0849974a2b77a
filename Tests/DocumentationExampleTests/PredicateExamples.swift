import CoreData
import Foundation
import Testing

@Suite("Examples of predicates, expressions and sort descriptors")
struct PredicateExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  /// The titles of the notes that match a predicate, by date. The predicate must match the same notes in memory.
  private func titles(_ predicate: NSPredicate) throws -> [String] {
    let request = Note.fetchRequest()
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    let found = try context.fetch(request)
    #expect(found == notes.filter { predicate.evaluate(with: $0) })
    return found.map(\.title)
  }

  private func names(_ authors: NSPredicate) throws -> [String] {
    let request = NSFetchRequest<Author>(entityName: "Author")
    request.predicate = authors
    return try context.fetch(request).map(\.name)
  }

  @Test("a format is read, and its arguments are put in")
  func format() {
    // example: NSPredicate+Format.swift init(format predicateFormat: String, _ args
    let isThirsty = NSPredicate(format: "water < %d AND NOT name IN %@", 3, ["Thyme", "Sage"])
    let bed = [["name": "Tomato", "water": 2], ["name": "Thyme", "water": 1]]
    let thirsty = bed.filter { isThirsty.evaluate(with: $0) }  // the tomato
    // end
    #expect(thirsty.map { $0["name"] as? String } == ["Tomato"])
  }

  @Test("arguments may come as an array")
  func argumentArray() throws {
    let (start, end) = (Notebook.day(8), Notebook.day(10))
    // example: NSPredicate+Format.swift init(format predicateFormat: String, argumentArray
    let ofThoseDays = NSPredicate(
      format: "createdAt >= %@ AND createdAt < %@",
      argumentArray: [start, end]
    )
    // end
    #expect(try titles(ofThoseDays) == ["Prune the apple tree", "Sow the peas"])
  }

  @Test("a format that a user typed may be wrong")
  func parsing() {
    // example: PredicateFormatError.swift var position: Int
    do {
      let predicate = try NSPredicate(parsing: "rating > AND isPinned == YES")
      print(predicate)
    } catch {
      print(error.message, "at", error.position)
    }
    // end
    #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: "rating > AND isPinned == YES") }
  }

  @Test("a format's error says what was expected")
  func formatError() throws {
    let typed = "rating > 3 AND"
    // example: PredicateFormatError.swift struct PredicateFormatError
    do {
      _ = try NSPredicate(parsing: typed)
    } catch {
      print("\(typed.prefix(error.position))⚠️", error.localizedDescription)
    }
    // end
    let error = #expect(throws: PredicateFormatError.self) { try NSPredicate(parsing: typed) }
    #expect(error?.format == typed)
  }

  @Test("values are compared")
  func comparison() throws {
    // example: NSComparisonPredicate.swift enum Operator
    let good = NSPredicate(format: "rating >= 3 AND rating != 5")
    let unsigned = NSPredicate(format: "author == nil OR author.name == ''")
    let planting = NSPredicate(format: "title BEGINSWITH 'Sow' OR title ENDSWITH 'tree'")
    // end
    #expect(try titles(good) == ["Sow the peas"] && titles(unsigned) == ["Order compost"])
    #expect(try titles(planting) == ["Prune the apple tree", "Sow the peas"])
  }

  @Test("a value lies between two others")
  func between() throws {
    // example: NSComparisonPredicate.swift case between
    let fair = NSPredicate(format: "rating BETWEEN %@", [2, 4])
    // end
    #expect(try titles(fair) == ["Sow the peas"])
  }

  @Test("a value is one of a list")
  func inList() throws {
    // example: NSComparisonPredicate.swift case `in`
    let byUs = NSPredicate(format: "author.name IN %@", ["Ines", "Tomas"])
    // end
    #expect(try titles(byUs) == ["Prune the apple tree", "Sow the peas"])
  }

  @Test("a text contains another")
  func contains() throws {
    // example: NSComparisonPredicate.swift case contains
    let aboutApples = NSPredicate(format: "title CONTAINS[c] %@", "APPLE")
    // end
    #expect(try titles(aboutApples) == ["Prune the apple tree"])
  }

  @Test("a text matches a pattern")
  func like() throws {
    // example: NSComparisonPredicate.swift case like
    let aboutSowing = NSPredicate(format: "title LIKE %@", "Sow the *")
    // end
    #expect(try titles(aboutSowing) == ["Sow the peas"])
  }

  @Test("a text matches a regular expression")
  func matches() throws {
    // example: NSComparisonPredicate.swift case matches
    let aboutTrees = NSPredicate(format: "title MATCHES %@", ".*(tree|hedge)")
    // end
    #expect(try titles(aboutTrees) == ["Prune the apple tree"])
  }

  @Test("texts are compared without case and marks")
  func options() throws {
    // example: NSComparisonPredicate.swift struct Options
    let byInes = NSPredicate(format: "author.name ==[cd] %@", "INÊS")
    // end
    #expect(try titles(byInes) == ["Prune the apple tree", "Sow the peas"])
  }

  @Test("a predicate with ANY matches if one of several values does")
  func any() throws {
    // example: NSComparisonPredicate.swift case any = 2
    let ofTheGarden = NSPredicate(format: "ANY tags.name == %@", "garden")
    // end
    #expect(try titles(ofTheGarden) == ["Prune the apple tree"])
  }

  @Test("each of several has to match")
  func all() throws {
    // example: NSComparisonPredicate.swift case all = 1
    let alwaysGood = NSPredicate(format: "notes.@count > 0 AND ALL notes.rating >= 3")
    // end
    #expect(try names(alwaysGood) == ["Ines"])
  }

  @Test("a comparison is built from its parts")
  func comparisonOfParts() throws {
    // example: NSComparisonPredicate.swift modifier: Modifier, type: Operator
    let predicate = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "title"),
      rightExpression: NSExpression(forConstantValue: "SOW"),
      modifier: .direct,
      type: .beginsWith,
      options: .caseInsensitive
    )
    print(predicate)  // title BEGINSWITH[c] "SOW"
    // end
    #expect(try titles(predicate) == ["Sow the peas"])
    #expect(predicate.predicateFormat == #"title BEGINSWITH[c] "SOW""#)
  }

  @Test("predicates are combined")
  func compound() throws {
    // example: CompoundPredicate.swift class CompoundPredicate
    let parts = [NSPredicate(format: "rating > 2"), NSPredicate(format: "isPinned == NO")]
    let both = CompoundPredicate(type: .and, subpredicates: parts)
    print(both)  // rating > 2 AND isPinned == 0
    // end
    #expect(try titles(both) == ["Sow the peas"])
  }

  @Test("variables get their values later")
  func substitution() throws {
    // example: NSPredicate+Substitution.swift func withSubstitutionVariables
    let byAuthor = NSPredicate(format: "author.name == $NAME")
    let byInes = byAuthor.withSubstitutionVariables(["NAME": "Ines"])
    print(byInes)  // author.name == "Ines"
    // end
    #expect(try titles(byInes) == ["Prune the apple tree", "Sow the peas"])
  }

  @Test("a predicate of the macro is converted")
  func macro() throws {
    // example: MacroConverter.swift init?<Input>(_ predicate
    let isShort = #Predicate<Note> { $0.isPinned && !$0.title.contains("draft") }
    guard let predicate = NSPredicate(isShort) else { fatalError("this has no format") }
    print(predicate)  // isPinned == 1 AND NOT title CONTAINS "draft"
    // end
    #expect(predicate.description == #"isPinned == 1 AND NOT title CONTAINS "draft""#)
    #expect(try titles(predicate) == ["Prune the apple tree"])
  }

  @Test("an expression has a value")
  func expression() {
    // example: NSExpression.swift class NSExpression
    let seconds = NSExpression(forKeyPath: "songs.seconds")
    let sum = NSExpression(forFunction: "sum:", arguments: [seconds])
    let album = ["songs": [["seconds": 214], ["seconds": 187]]]
    let length = sum.expressionValue(with: album, context: nil) as? Int  // 401
    // end
    #expect(length == 401)
  }

  @Test("an expression is read from a format")
  func expressionFormat() {
    // example: NSPredicate+Format.swift init(format expressionFormat: String, _ args
    let double = NSExpression(format: "rating * %d", 2)
    let value = double.expressionValue(with: note, context: nil) as? Int
    print(value ?? 0)  // 10
    // end
    #expect(value == 10)
  }

  @Test("a function is called by its name")
  func function() {
    // example: NSExpression+Making.swift init(forFunction name
    let ratings = NSExpression(forKeyPath: "notes.rating")
    let average = NSExpression(forFunction: "average:", arguments: [ratings])
    let rating = average.expressionValue(with: note.author, context: nil) as? Double
    print(rating ?? 0)  // 4.0
    // end
    #expect(rating == 4)
  }

  @Test("elements that match are counted")
  func subquery() throws {
    // example: NSExpression+Making.swift init(forSubquery
    let good = NSExpression(
      forSubquery: NSExpression(forKeyPath: "notes"),
      usingIteratorVariable: "note",
      predicate: NSPredicate(format: "$note.rating > 2")
    )
    print(good)  // SUBQUERY(notes, $note, $note.rating > 2)
    let busy = NSPredicate(format: "SUBQUERY(notes, $note, $note.rating > 2).@count >= 2")
    // end
    #expect(good.description == "SUBQUERY(notes, $note, $note.rating > 2)")
    #expect(try names(busy) == ["Ines"])
  }

  @Test("the object itself is compared")
  func evaluatedObject() throws {
    // example: NSExpression+Making.swift class func expressionForEvaluatedObject
    let chosen = [notes[0], notes[2]]
    let isChosen = NSPredicate(format: "SELF IN %@", chosen)
    // end
    #expect(try titles(isChosen) == ["Prune the apple tree", "Order compost"])
  }

  @Test("a key path of Swift is one of keys")
  func keyPath() {
    // example: NSExpression+Making.swift convenience init<Root, Value>(forKeyPath
    let title = NSExpression(forKeyPath: \Note.title)
    print(title.keyPath)  // title
    // end
    #expect(title.keyPath == "title")
  }

  @Test("a ternary expression chooses one of two values")
  func conditional() {
    // example: NSExpression+Making.swift init(forConditional
    let mark = NSExpression(
      forConditional: NSPredicate(format: "isPinned == YES"),
      trueExpression: NSExpression(forConstantValue: "📌"),
      falseExpression: NSExpression(forConstantValue: "")
    )
    let text = mark.expressionValue(with: note, context: nil) as? String
    // end
    #expect(text == "📌")
  }

  @Test("a predicate contains a fetch")
  func fetchExpression() throws {
    // example: NSFetchRequestExpression.swift class func expression(
    let pinned = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    pinned.predicate = NSPredicate(format: "isPinned == YES")
    let count = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: pinned),
      context: NSExpression(forConstantValue: context),
      countOnly: true
    )
    let number = count.expressionValue(with: nil, context: nil) as? Int
    // end
    #expect(number == 1)
  }

  @Test("notes are sorted by several keys")
  func sortDescriptor() {
    // example: NSSortDescriptor+Key.swift init(key: String?, ascending: Bool)
    let order = [
      NSSortDescriptor(key: "isPinned", ascending: false),
      NSSortDescriptor(key: "author.name", ascending: true),
      NSSortDescriptor(key: "title", ascending: true, selector: "localizedStandardCompare:"),
    ]
    // end
    #expect(order.compactMap(\.key) == ["isPinned", "author.name", "title"])
  }

  @Test("a selector names the comparison")
  func sortSelector() throws {
    // example: NSSortDescriptor+Key.swift ascending: Bool, selector
    let byTitle = NSSortDescriptor(key: "title", ascending: true, selector: "caseInsensitiveCompare:")
    // end
    let request = Note.fetchRequest()
    request.sortDescriptors = [byTitle]
    #expect(try context.fetch(request).first?.title == "Order compost")
  }

  @Test("a key path of Swift is sorted by")
  func sortKeyPath() {
    // example: NSSortDescriptor+Key.swift init<Root, Value>(keyPath
    let byAuthor = NSSortDescriptor(keyPath: \Note.author?.name, ascending: true)
    print(byAuthor.key ?? "")  // author.name
    // end
    #expect(byAuthor.key == "author.name")
  }

  @Test("a closure compares")
  func sortComparator() throws {
    // example: NSSortDescriptor+Key.swift init(key: String?, ascending: Bool, comparator
    let byLength = NSSortDescriptor(key: "title", ascending: true) { first, second in
      let (one, other) = ((first as? String ?? "").count, (second as? String ?? "").count)
      return one < other ? .orderedAscending : one > other ? .orderedDescending : .orderedSame
    }
    // end
    #expect(byLength.compare(notes[1], to: notes[0]) == .orderedAscending)
  }

  @Test("a closure compares the values of a key path")
  func sortKeyPathComparator() throws {
    // example: NSSortDescriptor+Comparator.swift convenience init<Root: NSManagedObject, Value>
    let byLength = NSSortDescriptor(keyPath: \Note.title, ascending: true) { first, second in
      let (one, other) = ((first as? String ?? "").count, (second as? String ?? "").count)
      return one < other ? .orderedAscending : one > other ? .orderedDescending : .orderedSame
    }
    // end
    #expect(byLength.compare(notes[1], to: notes[0]) == .orderedAscending)
    #expect(byLength.selector == nil)
  }

  @Test("Foundation's sort descriptor is converted")
  func sortDescriptorOfFoundation() {
    // example: NSSortDescriptor+Key.swift init<Compared>
    let newestFirst = SortDescriptor(\Note.createdAt, order: .reverse)
    let descriptor = NSSortDescriptor(newestFirst)
    print(descriptor.key ?? "", descriptor.ascending)  // createdAt false
    // end
    #expect(descriptor.key == "createdAt" && !descriptor.ascending)
  }

  @Test("a key path knows its names")
  func keyPathString() {
    // example: KeyPathNames.swift var _kvcKeyPathString
    let path = \Note.author?.name
    print(path._kvcKeyPathString ?? "")  // author.name
    // end
    #expect(path._kvcKeyPathString == "author.name")
  }
}
