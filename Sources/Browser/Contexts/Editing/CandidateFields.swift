/// An object that a relationship may lead to.
struct CandidateFields: TemplateFields {
  let candidateName, candidateEntity, candidateKey, candidateAddress, candidateWord: String
  let isChosen, isNewCandidate: Bool
}
