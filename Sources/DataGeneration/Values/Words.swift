/// The vocabulary of generated texts. A change to it changes the generated seeds.
enum Words {
  static let adjectives = split(
    """
    amber ancient bright brisk calm careful clear clever coastal cosy crisp distant early eager fair famous fine fresh \
    gentle golden grand green happy hidden honest humble inner kind large late light little lively local lucky mellow \
    modern narrow new noble northern old open patient plain proud quick quiet rapid rare red round rural sharp short \
    silent silver simple slow small smooth soft solid southern steady still strong sunny sweet swift tall tender tidy \
    urban useful vivid warm western white wide wild wise young
    """
  )

  static let nouns = split(
    """
    archive arrow basket beach bell bicycle bird boat book bottle branch bread bridge brook button cabin candle canvas \
    card castle chair circle clock cloud coast corner cottage cup dance desk door dream engine evening feather field \
    fire flower forest fountain garden gate glass grove hall harbour hill holiday horse house island journal journey \
    kitchen lake lamp lantern leaf letter library lighthouse map market meadow melody mirror moon morning mountain \
    museum note ocean orchard palace paper path pencil picture plan planet plate pocket pond port river road roof room \
    school season shadow shelf ship shop song spring square star station stone story street summer table tower town \
    train tree valley village voyage wall water wave window winter wood workshop
    """
  )

  static let verbs = split(
    """
    becomes brings carries crosses finds follows holds joins keeps leaves meets needs opens passes reaches remembers \
    shows takes turns visits
    """
  )

  static let firstNames = split(
    """
    Ada Aisha Alex Amir Ana Anna Arjun Ben Bianca Carlos Chloe Clara Daan Daniel David Elena Eli Emma Eva Femke Finn \
    Freya Grace Hana Hugo Ines Isa Ivan Jack Jana Jonas Jun Kai Kim Lara Laila Leo Lena Lin Lucas Maja Marco Maria \
    Mei Mila Milan Mina Nadia Nils Noah Noor Olga Omar Oscar Paul Pia Priya Rafael Ravi Rosa Ruth Sam Sana Sara Sofia \
    Stefan Tara Theo Tom Vera Victor Wei Yara Yusuf Zoe
    """
  )

  static let lastNames = split(
    """
    Abe Ahmed Almeida Andersen Bakker Bauer Becker Bennett Berg Bianchi Brown Chen Clarke Costa Cruz Dahl Dubois \
    Eriksen Evans Fischer Fontana Garcia Gomez Gruber Haas Hansen Ito Ivanova Jansen Jones Kaur Keller Khan Kim Klein \
    Kowalski Kumar Larsen Lee Lopez Martin Meyer Mori Moreau Murphy Nguyen Nowak Okafor Olsen Patel Peeters Popov \
    Ricci Rossi Sato Schmidt Silva Singh Smit Smith Sousa Tanaka Taylor Visser Wagner Walker Wang Weber Wilson Wolf \
    Wong Yilmaz Young Zhang
    """
  )

  static let cities = split(
    """
    Amsterdam Athens Auckland Barcelona Berlin Bogota Boston Bruges Brussels Cairo Copenhagen Delhi Dublin Edinburgh \
    Ghent Hamburg Helsinki Istanbul Kyoto Lagos Lima Lisbon London Lyon Madrid Melbourne Milan Montreal Munich Nairobi \
    Oslo Paris Porto Prague Riga Rome Santiago Seoul Singapore Stockholm Sydney Tokyo Toronto Utrecht Vienna Warsaw \
    Zurich
    """
  )

  static let countries = split(
    """
    Argentina Australia Austria Belgium Brazil Canada Chile Colombia Denmark Egypt Finland France Germany Greece India \
    Ireland Italy Japan Kenya Mexico Morocco Netherlands Nigeria Norway Peru Poland Portugal Spain Sweden Switzerland \
    Turkey
    """
  )

  static let colours = split(
    "amber black blue brown coral cyan gold green grey indigo lime olive orange pink purple red teal violet white yellow"
  )
  static let languages = split("ar cs da de el en es fi fr he hi it ja ko nb nl pl pt ru sv tr uk zh-Hans zh-Hant")
  static let currencies = split("AUD BRL CAD CHF CNY CZK DKK EUR GBP INR JPY KRW MXN NOK NZD PLN SEK USD ZAR")
  static let states = split("active archived draft open pending published")
  static let fileEndings = split("csv jpg md pdf png txt")

  private static func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
