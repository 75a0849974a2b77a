/// What the template of a page is filled with. Parts that are nil are not there.
struct Page {
  /// The title of the window, before that of the site.
  var title: String
  /// The word of `FormToken`.
  var token: String
  /// The word of `FeedSubscribers.version`.
  var version: String
  /// What a script has to know: `list`, `note`, `form` or `message`.
  var kind: String
  /// The name of the note that the page is about.
  var noteID: String?
  var search: SearchView
  var seeding: SeedingView?
  var toast: ToastView?
  var filters: FiltersView?
  var list: ListView?
  var note: NoteView?
  var form: FormView?
  var message: MessageView?
  /// True where nothing is chosen.
  var isOpen = false
}

/// The field for words to look for.
struct SearchView {
  var words: String
  var category: String?
  var tag: String?
  /// The address of the form of a new note.
  var newAddress: String
}

/// How far the first seeding is.
struct SeedingView {
  var sentence: String
  var percent: Int
  /// False when it has ended badly.
  var isRunning: Bool
}

/// What was done, and the way back.
struct ToastView {
  var noteTitle: String?
  var sentence: String
  /// The address that takes it back; nil where there is no way.
  var undoAddress: String?
}

/// A page that says one thing, in the place of a note.
struct MessageView {
  var heading: String
  var sentence: String
  var link: String
  var address: String
}
