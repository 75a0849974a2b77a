#if !canImport(Darwin)
  /// A line of `doctor`: the finding on a subject, and the remedy if something is wrong.
  struct Diagnosis: Equatable, Encodable {
    /// The verdict on a subject. The raw values are stable.
    enum State: String, Encodable {
      case right
      /// A fact that is neither good nor bad, or a subject that could not be examined.
      case note
      case wrong
    }

    let state: State
    /// The subject as one word: command, system, swift, SQLite, model, store.
    let subject: String
    /// The finding, as a sentence.
    let words: String
    /// The remedy; nil where nothing has to be done, or where the finding already says it.
    let remedy: String?

    private init(state: State, subject: String, words: String, remedy: String? = nil) {
      self.state = state
      self.subject = subject
      self.words = HiddenPasswords.hide(in: words)
      self.remedy = remedy.map { HiddenPasswords.hide(in: $0) }
    }

    static func right(_ subject: String, words: String) -> Diagnosis {
      Diagnosis(state: .right, subject: subject, words: words)
    }

    static func note(_ subject: String, words: String) -> Diagnosis {
      Diagnosis(state: .note, subject: subject, words: words)
    }

    static func wrong(_ subject: String, words: String, remedy: String? = nil) -> Diagnosis {
      Diagnosis(state: .wrong, subject: subject, words: words, remedy: remedy)
    }
  }
#endif
