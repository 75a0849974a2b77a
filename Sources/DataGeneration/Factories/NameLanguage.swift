/// A language that names of persons are of.
///
/// ```swift
/// let authors = Factory<Author>(language: .japanese)
/// print(try authors.create(in: context).name)  // such as 高橋 美咲
/// ```
public enum NameLanguage: String, CaseIterable, Sendable {
  /// Dutch names.
  case dutch
  /// English names.
  case english
  /// French names.
  case french
  /// German names.
  case german
  /// Italian names.
  case italian
  /// Japanese names.
  case japanese
  /// Polish names.
  case polish
  /// Spanish names.
  case spanish
  /// Turkish names.
  case turkish

  /// The names of the language.
  var names: PersonNames {
    switch self {
    case .dutch: Self.dutchNames
    case .english: Self.englishNames
    case .french: Self.frenchNames
    case .german: Self.germanNames
    case .italian: Self.italianNames
    case .japanese: Self.japaneseNames
    case .polish: Self.polishNames
    case .spanish: Self.spanishNames
    case .turkish: Self.turkishNames
    }
  }

  private static let dutchNames = PersonNames(
    first: """
      Anouk Bram Daan Eva Femke Gijs Hanneke Jasper Joris Lieke Lotte Maartje Niels Noor Pieter Roos Ruben Sanne Sem Tess
      """,
    last: """
      Bakker Bos Brouwer Dekker Dijkstra Hendriks Hoekstra Jacobs Jansen Kok Kuiper Meijer Mulder Peters Prins Smit Schouten \
      Visser Vos Willems
      """
  )

  private static let englishNames = PersonNames(
    first: """
      Alice Amelia Arthur Charlotte Edward Eleanor Emily Ethan George Grace Harry Isabel Jack James Lily Oliver Rose Samuel \
      Sophie William
      """,
    last: """
      Bailey Baker Bennett Brown Carter Clarke Cooper Davies Evans Foster Green Harris Hughes Johnson Morgan Parker Taylor \
      Turner Walker Wright
      """
  )

  private static let frenchNames = PersonNames(
    first: """
      Adèle Agnès Antoine Camille Chloé Clément Élodie Étienne François Gaël Hélène Hugo Inès Jérôme Léa Mathilde Noémie \
      Rémi Théo Zoé
      """,
    last: """
      André Bernard Blanc Bonnet Chevalier Dubois Durand Fontaine Garnier Lambert Lefèvre Legrand Martin Mercier Moreau \
      Pélissier Petit Renard Rousseau Roux
      """
  )

  private static let germanNames = PersonNames(
    first: """
      Anke Björn Claudia Dörte Emil Felix Greta Heike Ida Jan Jörg Jürgen Karl Käthe Lukas Mathilda Moritz Sören Ulrike \
      Wilhelmine
      """,
    last: """
      Bauer Becker Böhm Fischer Groß Hofmann Jäger Keller Köhler Krüger Lang Möller Müller Richter Schäfer Schmidt Schröder \
      Vogel Weiß Zimmermann
      """
  )

  private static let italianNames = PersonNames(
    first: """
      Alessia Andrea Beatrice Chiara Davide Elena Fabio Federica Francesco Giorgia Giulia Lorenzo Luca Marta Matteo Niccolò \
      Paola Riccardo Sofia Tommaso
      """,
    last: """
      Barbieri Bianchi Bruno Caruso Colombo Conti Costa Esposito Ferrari Gallo Greco Lombardi Mancini Marino Moretti Ricci \
      Rinaldi Romano Rossi Santoro
      """
  )

  private static let japaneseNames = PersonNames(
    first: """
      陽葵=himari 凛=rin 結愛=yua 芽依=mei 葵=aoi 紬=tsumugi 咲良=sakura 美咲=misaki 優花=yuka 真央=mao 蓮=ren 陽翔=haruto 湊=minato \
      樹=itsuki 大翔=hiroto 悠真=yuma 颯太=sota 健太=kenta 直樹=naoki 拓海=takumi
      """,
    last: """
      佐藤=sato 鈴木=suzuki 高橋=takahashi 田中=tanaka 伊藤=ito 渡辺=watanabe 山本=yamamoto 中村=nakamura 小林=kobayashi 加藤=kato \
      吉田=yoshida 山田=yamada 佐々木=sasaki 山口=yamaguchi 松本=matsumoto 井上=inoue 木村=kimura 林=hayashi 清水=shimizu 森=mori
      """,
    isFamilyFirst: true
  )

  private static let polishNames = PersonNames(
    first: """
      Agnieszka Aleksander Bartosz Ewa Franciszek Grażyna Jakub Julia Kacper Katarzyna Łukasz Maja Małgorzata Michał \
      Oliwia Paweł Stanisław Szymon Zofia Zuzanna
      """,
    last: """
      Adamczyk Dąbrowicz Duda Górka Jabłoń Kaczmarek Kołodziej Kowal Krawczyk Król Mazur Nowak Pająk Pawlak Sikora Stępień \
      Walczak Wieczorek Wójcik Zając
      """
  )

  private static let spanishNames = PersonNames(
    first: """
      Adrián Alba Álvaro Begoña Carmen Diego Elena Hugo Inés Íñigo Javier Jimena José Lucía Martín Nuria Pablo Raúl Sofía \
      Valeria
      """,
    last: """
      Álvarez Castro Delgado Díaz Fernández García Gil Gómez Ibáñez Jiménez López Martínez Muñoz Navarro Núñez Ortega Peña \
      Ramos Ruiz Vega
      """
  )

  private static let turkishNames = PersonNames(
    first: """
      Ahmet Ayşe Barış Çağla Deniz Elif Emre Fatma Gülşen Hakan Işıl İlker Kerem Mehmet Nazlı Özge Selin Şebnem Umut Zeynep
      """,
    last: """
      Arslan Aydın Çelik Çetin Demir Doğan Erdoğan Güneş Kaya Kılıç Koç Kurt Öztürk Polat Şahin Şimşek Türk Yıldız Yılmaz \
      Yüksel
      """
  )
}
