extension KnownTypes {
  /// The public types of the toolchain's modules on Linux, from their symbol graphs. A line has the module and the kind. The
  /// names follow below it, each with the number of its generic parameters if it has some.
  static let table = """
    Swift C
      ManagedBuffer/2
    Swift V
      AnyHashable Array/1 Bool Character ClosedRange/1 CodingUserInfoKey CollectionDifference/1
      CollectionOfOne/1 ContiguousArray/1 DefaultStringInterpolation Dictionary/2 Double Duration Float
      Float16 Float80 Int Int128 Int16 Int32 Int64 Int8 KeyValuePairs/2 ObjectIdentifier
      PartialRangeFrom/1 PartialRangeThrough/1 PartialRangeUpTo/1 Range/1 RangeSet/1 Repeated/1 Set/1
      StaticBigInt StaticString StrideThrough/1 StrideTo/1 String String.Index Substring
      SystemRandomNumberGenerator UInt UInt128 UInt16 UInt32 UInt64 UInt8 Unicode.Scalar
    Swift O
      CommandLine DecodingError EncodingError FloatingPointClassification FloatingPointRoundingRule
      FloatingPointSign MemoryLayout/1 Never Optional/1 Result/2 UnboundedRange_ Unicode UnicodeDecodingResult
    Swift P
      AdditiveArithmetic BinaryFloatingPoint BinaryInteger BitwiseCopyable CVarArg CaseIterable CodingKey
      CodingKeyRepresentable Comparable Copyable CustomDebugStringConvertible CustomLeafReflectable
      CustomReflectable CustomStringConvertible Decodable Decoder Encodable Encoder Equatable Error Escapable
      FixedWidthInteger FloatingPoint Hashable Identifiable LosslessStringConvertible Numeric OptionSet
      RandomNumberGenerator RangeExpression RawRepresentable Sendable SendableMetatype SetAlgebra
      SignedInteger SignedNumeric Strideable UnsafeSendable UnsignedInteger
    Foundation C
      BlockOperation Bundle ByteCountFormatter DateFormatter DateIntervalFormatter Dimension EnergyFormatter
      FileHandle Formatter Host ISO8601DateFormatter InputStream JSONSerialization LengthFormatter
      MassFormatter NSAffineTransform NSArray NSAttributedString NSCache/2 NSCalendar NSCharacterSet NSCoder
      NSComparisonPredicate NSCompoundPredicate NSCondition NSConditionLock NSCountedSet NSData NSDate
      NSDateComponents NSDateInterval NSDecimalNumber NSDecimalNumberHandler NSDictionary NSEnumerator NSError
      NSExpression NSIndexPath NSIndexSet NSKeyedArchiver NSKeyedUnarchiver NSLocale NSLock NSMeasurement
      NSMutableArray NSMutableAttributedString NSMutableCharacterSet NSMutableData NSMutableDictionary
      NSMutableIndexSet NSMutableOrderedSet NSMutableSet NSMutableString NSNotification NSNull NSNumber
      NSObject NSOrderedSet NSOrthography NSPersonNameComponents NSPredicate NSRecursiveLock
      NSRegularExpression NSSet NSSortDescriptor NSString NSTextCheckingResult NSTimeZone NSURL
      NSURLComponents NSURLQueryItem NSUUID NSValue NotificationQueue NumberFormatter Operation OperationQueue
      OutputStream PersonNameComponentsFormatter Pipe Port PortMessage Process Progress
      PropertyListSerialization RunLoop Scanner SocketPort Stream Thread Timer Unit UnitAcceleration UnitAngle
      UnitArea UnitConcentrationMass UnitConverter UnitConverterLinear UnitDispersion UnitDuration
      UnitElectricCharge UnitElectricCurrent UnitElectricPotentialDifference UnitElectricResistance UnitEnergy
      UnitFrequency UnitFuelEfficiency UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower
      UnitPressure UnitSpeed UnitTemperature UnitVolume UserDefaults
    Foundation V
      _NSRange AffineTransform AlignmentOptions ByteCountFormatter.Units CGFloat CGPoint CGRect CGSize CharacterSet
      ISO8601DateFormatter.Options IndexSet IndexSet.Index IndexSet.RangeView JSONSerialization.ReadingOptions
      JSONSerialization.WritingOptions Measurement/1 Morphology Morphology.CustomPronoun
      NSAffineTransformStruct NSArray.Iterator NSAttributedString.EnumerationOptions NSAttributedString.Key
      NSBinarySearchingOptions NSCalendar.Identifier NSCalendar.Options NSCalendar.Unit
      NSComparisonPredicate.Options NSDictionary.Iterator NSEdgeInsets NSEnumerationOptions
      NSEnumerator.Iterator NSExceptionName NSIndexSetIterator NSLocale.Key NSNotification.Name
      NSRegularExpression.MatchingFlags NSRegularExpression.MatchingOptions NSRegularExpression.Options
      NSSortOptions NSString.EncodingConversionOptions NSString.EnumerationOptions NSTextCheckingKey
      NSTextCheckingResult.CheckingType NSZone Notification NotificationQueue.NotificationCoalescing ObjCBool
      PersonNameComponents PersonNameComponentsFormatter.Options Progress.FileOperationKind ProgressKind
      ProgressUserInfoKey PropertyListSerialization.MutabilityOptions RunLoop.Mode Stream.Event
      Stream.PropertyKey StreamNetworkServiceTypeValue StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion
      StreamSocketSecurityLevel StringTransform URLError URLFileResourceType URLResourceKey URLResourceValues
    Foundation O
      ByteCountFormatter.CountStyle CGRectEdge DateFormatter.Style DateIntervalFormatter.Style
      EnergyFormatter.Unit Formatter.Context Formatter.UnitStyle InflectionRule LengthFormatter.Unit
      MassFormatter.Unit Morphology.GrammaticalGender Morphology.GrammaticalNumber Morphology.PartOfSpeech
      NSCoder.DecodingFailurePolicy NSComparisonPredicate.Modifier NSComparisonPredicate.Operator
      NSCompoundPredicate.LogicalType NSExpression.ExpressionType NSRectEdge NotificationQueue.PostingStyle
      NumberFormatter.PadPosition NumberFormatter.RoundingMode NumberFormatter.Style Operation.QueuePriority
      PersonNameComponentsFormatter.Style Process.TerminationReason QualityOfService
      Scanner.NumberRepresentation Stream.Status URLError.Code
    Foundation P
      CustomNSError NSCacheDelegate NSCoding NSCopying NSDecimalNumberBehaviors NSKeyedArchiverDelegate
      NSKeyedUnarchiverDelegate NSLocking NSMutableCopying NSObjectProtocol NSSecureCoding PortDelegate
      ProgressReporting RecoverableError ReferenceConvertible StreamDelegate
    FoundationEssentials C
      FileManager JSONDecoder JSONEncoder NotificationCenter ProcessInfo PropertyListDecoder
      PropertyListEncoder
    FoundationEssentials V
      AttributeContainer AttributeContainer.Builder/1 AttributedString AttributedSubstring Calendar
      Calendar.RecurrenceRule CocoaError CocoaError.Code CodableConfiguration/2 ComparableComparator/1 Data
      Data.Base64DecodingOptions Data.Base64EncodingOptions Data.Iterator Data.ReadingOptions
      Data.SearchOptions Data.WritingOptions Date Date.ISO8601FormatStyle DateComponents
      DateComponents.ISO8601FormatStyle DateInterval Decimal DiscontiguousAttributedSubstring Expression/2
      FileAttributeKey FileAttributeType FileManager.DirectoryEnumerationOptions
      FileManager.ItemReplacementOptions FileManager.SearchPathDomainMask FileManager.UnmountOptions
      FileProtectionType IndexPath JSONEncoder.OutputFormatting Locale Locale.Collation Locale.Components
      Locale.Currency Locale.Language Locale.LanguageCode Locale.MeasurementSystem Locale.NumberingSystem
      Locale.Region Locale.Script Locale.Subdivision Locale.Variant NotificationCenter.BaseMessageIdentifier/1
      NotificationCenter.ObservationToken OperatingSystemVersion POSIXError Predicate/1 PredicateBindings
      PredicateError ScopedAttributeContainer/1 TimeZone URL URL.Template URLComponents URLQueryItem UUID
    FoundationEssentials O
      AttributeDynamicLookup Calendar.Component Calendar.Identifier Calendar.MatchingPolicy
      Calendar.RepeatedTimePolicy Calendar.SearchDirection ComparisonResult Data.Deallocator
      Decimal.CalculationError Decimal.RoundingMode FileManager.SearchPathDirectory
      FileManager.URLRelationship JSONDecoder.DataDecodingStrategy JSONDecoder.DateDecodingStrategy
      JSONDecoder.KeyDecodingStrategy JSONDecoder.NonConformingFloatDecodingStrategy
      JSONEncoder.DataEncodingStrategy JSONEncoder.DateEncodingStrategy JSONEncoder.KeyEncodingStrategy
      JSONEncoder.NonConformingFloatEncodingStrategy Locale.HourCycle Locale.IdentifierType
      Locale.LanguageDirection Locale.Weekday PredicateExpressions PropertyListDecoder.PropertyListFormat
      SortOrder TimeZone.NameStyle URL.DirectoryHint
    FoundationEssentials P
      AttributedStringAttributeMutation AttributedStringKey AttributedStringProtocol ContiguousBytes
      DataProtocol DecodableAttributedStringKey DecodableWithConfiguration DecodingConfigurationProviding
      DiscreteFormatStyle EncodableAttributedStringKey EncodableWithConfiguration
      EncodingConfigurationProviding FileManagerDelegate FormatStyle LocalizedError
      MarkdownDecodableAttributedStringKey MutableDataProtocol NotificationCenter.AsyncMessage
      NotificationCenter.MainActorMessage NotificationCenter.MessageIdentifier ParseStrategy
      ParseableFormatStyle PredicateExpression SortComparator StandardPredicateExpression
    FoundationInternationalization V
      ByteCountFormatStyle ByteCountFormatStyle.Attributed ByteCountFormatStyle.Units
      CurrencyFormatStyleConfiguration.Presentation CurrencyFormatStyleConfiguration.SignDisplayStrategy
      DescriptiveNumberFormatConfiguration.Presentation FloatingPointFormatStyle/1
      FloatingPointParseStrategy/1 FormatStyleCapitalizationContext IntegerFormatStyle/1
      IntegerParseStrategy/1 KeyPathComparator/1 ListFormatStyle/2
      NumberFormatStyleConfiguration.DecimalSeparatorDisplayStrategy NumberFormatStyleConfiguration.Grouping
      NumberFormatStyleConfiguration.Notation NumberFormatStyleConfiguration.Precision
      NumberFormatStyleConfiguration.SignDisplayStrategy SortDescriptor/1 StringStyle
    FoundationInternationalization O
      ByteCountFormatStyle.Style CurrencyFormatStyleConfiguration DescriptiveNumberFormatConfiguration
      NumberFormatStyleConfiguration
    Dispatch C
      DispatchGroup DispatchIO DispatchObject DispatchQueue DispatchSemaphore DispatchSource
      DispatchSpecificKey/1 DispatchWorkItem
    Dispatch V
      DispatchData DispatchDataIterator DispatchQoS DispatchTime DispatchWallTime DispatchWorkItemFlags
    Dispatch O
      DispatchPredicate DispatchTimeInterval DispatchTimeoutResult
    Dispatch P
      DispatchSourceProtocol DispatchSourceRead DispatchSourceSignal DispatchSourceTimer
      DispatchSourceUserDataAdd DispatchSourceUserDataOr DispatchSourceUserDataReplace DispatchSourceWrite
    CoreData C
      NSEntityDescription NSFetchRequest/1 NSManagedObject NSManagedObjectContext NSManagedObjectID
      NSManagedObjectModel NSPersistentStore
    """
}
