import Foundation

/// A model with every feature that a store can contain, and a version of it as the destination of a migration.
enum ZooModel {
  static func write(to folder: URL) throws {
    try write("Zoo", entities(isNewer: false), to: folder)
    try write("Newer", entities(isNewer: true), to: folder)
  }

  private static func write(_ name: String, _ entities: String, to folder: URL) throws {
    let version = folder.appendingPathComponent("\(name).xcdatamodeld/\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    let contents = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
      systemVersion="23A344" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
      \(entities)
      </model>
      """
    try Data(contents.utf8).write(to: version.appendingPathComponent("contents"))
  }

  private static func entities(isNewer: Bool) -> String {
    """
    <entity name="Person" representedClassName="NSManagedObject" syncable="YES">
      <attribute name="name" attributeType="String" defaultValueString="nobody"/>
      <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="0" usesScalarValueType="YES"/>
      <attribute name="visits" optional="YES" attributeType="Integer 32" usesScalarValueType="YES"/>
      <attribute name="steps" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
      <attribute name="weight" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
      <attribute name="height" optional="YES" attributeType="Float" usesScalarValueType="YES"/>
      <attribute name="balance" optional="YES" attributeType="Decimal"/>
      <attribute name="isActive" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
      <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
      <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="token" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
      <attribute name="home" optional="YES" attributeType="URI"/>
      <attribute name="notes" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
      <attribute name="lowered" optional="YES" attributeType="String" derived="YES" derivationExpression="lowercase:(name)"/>
      \(isNewer ? "<attribute name=\"nickname\" optional=\"YES\" attributeType=\"String\" defaultValueString=\"none\"/>" : "")
      <relationship name="department" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Department" \
    inverseName="people" inverseEntity="Department"/>
      <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" \
    inverseName="people" inverseEntity="Tag"/>
      <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
    </entity>
    <entity name="Employee" representedClassName="NSManagedObject" parentEntity="Person" syncable="YES">
      <attribute name="salary" optional="YES" attributeType="Decimal"/>
      <relationship name="manager" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Employee" \
    inverseName="reports" inverseEntity="Employee"/>
      <relationship name="reports" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
    destinationEntity="Employee" inverseName="manager" inverseEntity="Employee"/>
    </entity>
    <entity name="Department" representedClassName="NSManagedObject" syncable="YES">
      <attribute name="name" attributeType="String"/>
      <relationship name="people" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="department" inverseEntity="Person"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Tag" representedClassName="NSManagedObject" syncable="YES">
      <attribute name="name" attributeType="String"/>
      <relationship name="people" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
    inverseName="tags" inverseEntity="Person"/>
    </entity>
    """
  }
}
