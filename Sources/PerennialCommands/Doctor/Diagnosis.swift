#if !canImport(Darwin)
  /// A line of `doctor`: what was found of a subject, and what can be done where it is wrong.
  struct Diagnosis: Equatable, Encodable {
    /// The verdict on a subject. The raw values are stable.
    enum State: String, Encodable {
      case right
      /// Something that is neither good nor bad, or could not be looked at.
      case note
      case wrong
    }

    let state: State
    /// The subject in a word: command, system, swift, SQLite, model, store.
    let subject: String
    /// The finding, in words.
    let words: String
    /// The advice on what can be done; nil where nothing is to be done, or the words say it.
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
