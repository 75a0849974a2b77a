/// The values for the template of a page. Parts that are nil are not shown.
struct Page {
  /// The title of the window, which precedes that of the site.
  var title: String
  /// The text of the `FormToken`.
  var token: String
  /// The value of `FeedSubscribers.version`.
  var version: String
  /// The kind of page for the script: `list`, `note`, `form` or `message`.
  var kind: String
  /// The ID of the note that the page shows.
  var noteID: String?
  var search: SearchView
  var seeding: SeedingView?
  var toast: ToastView?
  var filters: FiltersView?
  var list: ListView?
  var note: NoteView?
  var form: FormView?
  var message: MessageView?
  /// True if no note is open.
  var isOpen = false
}

/// The search field.
struct SearchView {
  var words: String
  var category: String?
  var tag: String?
  /// The address of the form of a new note.
  var newAddress: String
}

/// The progress of the first seeding.
struct SeedingView {
  var sentence: String
  var percent: Int
  /// False if the seeding has failed.
  var isRunning: Bool
}

/// A message about the last change, with a way to undo it.
struct ToastView {
  var noteTitle: String?
  var sentence: String
  /// The address that undoes the change; nil if it cannot be undone.
  var undoAddress: String?
}

/// A page that shows a message instead of a note.
struct MessageView {
  var heading: String
  var sentence: String
  var link: String
  var address: String
}
