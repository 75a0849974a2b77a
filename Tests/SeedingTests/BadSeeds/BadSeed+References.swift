import Foundation
import Seeding

extension BadSeed {
  static let references = [
    BadSeed(
      "a list for one",
      "{\"notes\": [{\"title\": \"A\", \"category\": [\"Swift\"]}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"category\": a list is given for a relationship to one Category; give one "
        + "value, or make the relationship a to-many in the model"
    ),
    BadSeed(
      "a reference of the wrong type",
      "{\"notes\": [{\"title\": \"A\", \"tags\": [true]}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"tags\": the boolean true is not the name of a Tag; give the name of a Tag: give "
        + "a string"
    ),
    BadSeed(
      "null among references",
      "{\"notes\": [{\"title\": \"A\", \"tags\": [null]}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"tags\": null is given in a list; give the name of a Tag"
    ),
    BadSeed(
      "a reference to nothing",
      "{\"tags\": [{\"name\": \"News\"}], \"notes\": [{\"title\": \"A\", \"tags\": [\"News\", \"Podcasts\"]}]}",
      .unknownReference,
      "seed.json:1: Note record 1, key \"tags\": there is no Tag with the name \"Podcasts\", neither in the seed nor "
        + "in the store; correct it, or add the Tag to the seed"
    ),
    BadSeed(
      "a misspelt reference",
      "{\"tags\": [{\"name\": \"News\"}], \"notes\": [{\"title\": \"A\", \"tags\": [\"news\"]}]}",
      .unknownReference,
      "seed.json:1: Note record 1, key \"tags\": there is no Tag with the name \"news\", neither in the seed nor in "
        + "the store; was \"News\" meant?"
    ),
    BadSeed(
      "a reference to an entity without a natural key",
      "{\"books\": [{\"title\": \"A\", \"remarks\": [\"Good\"]}]}",
      .noNaturalKey,
      "seed.json:1: Book record 1, key \"remarks\": Remark has no natural key to refer to its objects by; label the "
        + "record with $id and refer to it by {\"$ref\": label}, or declare a key in $keys of the seed"
    ),
    BadSeed(
      "one value for a key of two",
      "{\"shelves\": [{\"name\": \"A\", \"cards\": [\"hearts\"]}]}",
      .wrongType,
      "seed.json:1: Shelf record 1, key \"cards\": the string \"hearts\" is not a natural key of 2 properties; give an "
        + "object with the suit, value of a Card"
    ),
    BadSeed(
      "a key of two that nothing has",
      "{\"shelves\": [{\"name\": \"A\", \"cards\": [{\"suit\": \"hearts\", \"value\": 1}]}]}",
      .unknownReference,
      "seed.json:1: Shelf record 1, key \"cards\": there is no Card with the suit, value \"hearts\", 1, neither in the "
        + "seed nor in the store; correct it, or add the Card to the seed"
    ),
    BadSeed(
      "null in a key of two",
      "{\"shelves\": [{\"name\": \"A\", \"cards\": [{\"suit\": null, \"value\": 1}]}]}",
      .wrongType,
      "seed.json:1: Shelf record 1, key \"cards.suit\": null is not part of a natural key; give a value"
    ),
    BadSeed(
      "a wrong type in a key of two",
      "{\"shelves\": [{\"name\": \"A\", \"cards\": [{\"suit\": \"hearts\", \"value\": \"ace\"}]}]}",
      .wrongType,
      "seed.json:1: Shelf record 1, key \"cards.value\": the string \"ace\" is not a value for an Integer 16; give a whole "
        + "number from -32768 to 32767"
    ),
    BadSeed(
      "a label that nothing has",
      "{\"remarks\": [{\"text\": \"A\", \"book\": {\"$ref\": \"swift\"}}]}",
      .unknownReference,
      "seed.json:1: Remark record 1, key \"book\": no record of this run has the label \"swift\"; correct it, or write "
        + "\"$id\": \"swift\" in the record that is meant"
    ),
    BadSeed(
      "a misspelt label",
      "{\"books\": [{\"$id\": \"swift\"}], \"remarks\": [{\"text\": \"A\", \"book\": {\"$ref\": \"swfit\"}}]}",
      .unknownReference,
      "seed.json:1: Remark record 1, key \"book\": no record of this run has the label \"swfit\"; was \"swift\" meant?"
    ),
    BadSeed(
      "a label of another entity",
      "{\"tags\": [{\"$id\": \"t\", \"name\": \"A\"}], \"remarks\": [{\"text\": \"A\", \"book\": {\"$ref\": \"t\"}}]}",
      .wrongType,
      "seed.json:1: Remark record 1, key \"book\": the label \"t\" is of a Tag, and the relationship leads to a Book; "
        + "refer to a Book"
    ),
    BadSeed(
      "a label of two records",
      "{\"remarks\": [{\"$id\": \"a\"},\n{\"$id\": \"a\"}]}",
      .ambiguousKey,
      "seed.json:2: Remark record 2, key \"$id\": seed.json:1: Remark record 1 has the label \"a\" as well; give each "
        + "record a label of its own"
    ),
    BadSeed(
      "a label that is not a word",
      "{\"remarks\": [{\"$id\": []}]}",
      .wrongType,
      "seed.json:1: Remark record 1, key \"$id\": a list is not a label or name; give a string"
    ),
    BadSeed(
      "a reference by label with other keys",
      "{\"remarks\": [{\"book\": {\"$ref\": \"a\", \"title\": \"A\"}}]}",
      .wrongShape,
      "seed.json:1: Remark record 1, key \"book\": a reference by $ref has other keys besides; leave it alone in its "
        + "object, or use $id to label the record that is meant"
    ),
    BadSeed(
      "a label in a natural key, of a later record",
      "{\"$keys\": {\"books\": [\"title\", \"author\"]}, \"books\": [{\"title\": \"A\", \"author\": {\"$ref\": \"ann\"}}], "
        + "\"authors\": [{\"$id\": \"ann\", \"name\": \"Ann\"}]}",
      .unknownReference,
      "seed.json:1: Book record 1, key \"author\": author is a part of the natural key, and no record before this one "
        + "has the label \"ann\"; put the record with the label first, or refer to it by its natural key"
    ),
    BadSeed(
      "an unknown key in a record within another",
      "{\"books\": [{\"title\": \"A\",\n\"author\": {\"nam\": \"Ann\"}}]}",
      .unknownKey,
      "seed.json:1: Book record 1, key \"author.nam\": Author has no property of this name; correct the key to \"name\""
    ),
    BadSeed(
      "an abstract record within another",
      "{\"books\": [{\"title\": \"A\", \"owner\": {\"name\": \"Eve\"}}]}",
      .unknownEntity,
      "seed.json:1: Book record 1, key \"owner\": Person is abstract, so it has no objects; name one of its "
        + "subentities: Customer, Employee"
    ),
  ]
}
