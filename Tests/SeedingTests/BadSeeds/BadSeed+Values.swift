import Foundation
import Seeding

extension BadSeed {
  /// A value that an attribute of the entity Thing cannot have.
  private static func value(_ key: String, _ json: String, _ problem: String) -> BadSeed {
    BadSeed(
      "\(json.prefix(20)) for \(key)",
      "{\"things\": [{\"name\": \"A\"},\n{\"\(key)\": \(json)}]}",
      .wrongType,
      "seed.json:2: Thing record 2, key \"\(key)\": \(problem)"
    )
  }

  /// Values of another type than their attribute's.
  static let values = [
    value("name", "5", "the number 5 is not a value for a String; give a string"),
    value(
      "int16",
      "32768",
      "the number 32768 is not a value for an Integer 16; give a whole number from -32768 to 32767"
    ),
    value(
      "int32",
      "1.5",
      "the number 1.5 is not a value for an Integer 32; give a whole number from -2147483648 to 2147483647"
    ),
    value(
      "int64",
      "9223372036854775808",
      "the number 9223372036854775808 is not a value for an Integer 64; give a whole number from -9223372036854775808 to "
        + "9223372036854775807"
    ),
    value("double", "1e400", "the number 1e400 is not a value for a Double; give a smaller number"),
    value("float", "1e39", "the number 1e39 is not a value for a Float; give a smaller number"),
    value(
      "decimal",
      "\"twelve\"",
      "the string \"twelve\" is not a value for a Decimal; give a number such as 12.50, as a number or a string"
    ),
    value("bool", "\"yes\"", "the string \"yes\" is not a value for a Boolean; give true or false"),
    value(
      "date",
      "\"2018-02-30\"",
      "the string \"2018-02-30\" is not a value for a Date; give seconds since 1970, or a date such as 2024-03-17 or "
        + "2024-03-17T13:45:39Z"
    ),
    value(
      "date",
      "\"2024-03-17T13:45:39\"",
      "the string \"2024-03-17T13:45:39\" has no time zone, and is another moment on each machine; add the zone, such as Z for "
        + "UTC or +01:00"
    ),
    value(
      "plain",
      "{\"$date\": \"2024-03-17 13:45:39\"}",
      "the string \"2024-03-17 13:45:39\" has no time zone, and is another moment on each machine; add the zone, such as Z for "
        + "UTC or +01:00"
    ),
    value(
      "data",
      "\"#\"",
      "the string \"#\" is not a value for a Binary Data; give the bytes as a string in Base64"
    ),
    value(
      "uuid",
      "\"1\"",
      "the string \"1\" is not a value for a UUID; give a string such as E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    ),
    value(
      "url",
      "\"\"",
      "the string \"\" is not a value for a URI; give a string such as https://example.com/notes"
    ),
    value("list", "5", "the number 5 is not a value for a Transformable of class NSArray; give a list"),
    value(
      "custom",
      "5",
      "a Transformable of class Color cannot be given in a seed; remove the key, or give the attribute the class "
        + "NSString, NSNumber, NSArray or NSDictionary"
    ),
    BadSeed(
      "a date of another format than the attribute's",
      "{\"odds\": [{\"day\": \"2024-03-17\"}]}",
      .wrongType,
      "seed.json:1: Odd record 1, key \"day\": the string \"2024-03-17\" is not a value for a Date; give a date of the "
        + "format dd.MM.yyyy"
    ),
    BadSeed(
      "a date of another kind than the header's",
      "{\"$dates\": \"millisecondsSince1970\", \"notes\": [{\"title\": \"A\", \"createdAt\": \"2024-03-17\"}]}",
      .wrongType,
      "seed.json:1: Note record 1, key \"createdAt\": the string \"2024-03-17\" is not a value for a Date; give "
        + "milliseconds since 1970"
    ),
    BadSeed(
      "a word for a number in a table",
      "name,int16\nA,many\n",
      in: "things.csv",
      .wrongType,
      "things.csv:2: Thing record 1, key \"int16\": the string \"many\" is not a value for an Integer 16; give a whole "
        + "number from -32768 to 32767"
    ),
    BadSeed(
      "a value transformer that is not there",
      "{\"odds\": [{\"coded\": \"A\"}]}",
      .noTransformer,
      "seed.json:1: Odd record 1, key \"coded\": no value transformer is registered under the name NoSuchTransformer, "
        + "which the model's user info gives; register it with ValueTransformer.setValueTransformer(_:forName:) before "
        + "seeding, or write \"$plain\": true first in the seed and the model's own values in it"
    ),
  ]
}
