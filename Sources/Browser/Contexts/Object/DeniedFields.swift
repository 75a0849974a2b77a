/// An object whose delete rule forbids the deletion.
struct DeniedFields: TemplateFields {
  let deniedName, deniedAddress, deniedRelationship, deniedCount: String
}
