/// The model of the store of Mac OS X 10.6, translated from its file in the format before XML into today's format. The
/// version hashes in the store show whether both are equal.
enum RecipesModel {
  static let text = """
    <model>
    <entity name="Image" representedClassName="NSManagedObject">
      <attribute name="image" optional="YES" attributeType="Transformable" valueTransformerName="ImageToDataTransformer"/>
      <relationship name="recipe" minCount="1" maxCount="1" deletionRule="Nullify" destinationEntity="Recipe" \
    inverseName="image" inverseEntity="Recipe"/>
    </entity>
    <entity name="Ingredient" representedClassName="NSManagedObject">
      <attribute name="amount" optional="YES" attributeType="String"/>
      <attribute name="displayOrder" attributeType="Integer 16" defaultValueString="0"/>
      <attribute name="name" attributeType="String" defaultValueString="Ingredient Name"/>
      <relationship name="recipe" optional="YES" minCount="1" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Recipe" inverseName="ingredients" inverseEntity="Recipe"/>
    </entity>
    <entity name="Recipe" representedClassName="NSManagedObject">
      <attribute name="instructions" optional="YES" attributeType="String"/>
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="overview" optional="YES" attributeType="String"/>
      <attribute name="prepTime" optional="YES" attributeType="String"/>
      <attribute name="thumbnailImage" optional="YES" attributeType="Transformable" \
    valueTransformerName="ImageToDataTransformer"/>
      <relationship name="image" optional="YES" minCount="1" maxCount="1" deletionRule="Cascade" \
    destinationEntity="Image" inverseName="recipe" inverseEntity="Image"/>
      <relationship name="ingredients" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Ingredient" inverseName="recipe" inverseEntity="Ingredient"/>
      <relationship name="type" optional="YES" minCount="1" maxCount="1" deletionRule="Nullify" \
    destinationEntity="RecipeType" inverseName="recipes" inverseEntity="RecipeType"/>
    </entity>
    <entity name="RecipeType" representedClassName="NSManagedObject">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Recipe" \
    inverseName="type" inverseEntity="Recipe"/>
    </entity>
    </model>
    """
}
