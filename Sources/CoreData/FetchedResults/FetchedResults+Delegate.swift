import Foundation

extension FetchedResults {
  /// Tells the delegate of changes, in the order that Apple documents: sections before objects.
  func tell(_ delegate: any NSFetchedResultsControllerDelegate, _ changes: FetchedChanges) {
    guard let controller = controllerForDelegate() else { return }
    if sectionNameKeyPath == nil, delegateTakesDifferences, let difference = changes.difference {
      delegate.controller(controller, didChangeContentWith: difference)
      if delegateTakesDifferences { return }
    }
    delegate.controllerWillChangeContent(controller)
    tell(delegate, controller, changes.deletedSections, .delete)
    tell(delegate, controller, changes.insertedSections, .insert)
    tellObjects(delegate, controller, changes)
    delegate.controllerDidChangeContent(controller)
  }

  private func tell(
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    _ sections: [FetchedChanges.Section],
    _ type: NSFetchedResultsChangeType
  ) {
    for section in sections {
      delegate.controller(
        controller,
        didChange: FetchedSectionInfo(section.section, title: indexTitle),
        atSectionIndex: section.index,
        for: type
      )
    }
  }

  private func tellObjects(
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    _ changes: FetchedChanges
  ) {
    func tell(
      _ object: NSManagedObject,
      _ type: NSFetchedResultsChangeType,
      _ old: FetchedPosition?,
      _ new: FetchedPosition?
    ) {
      delegate.controller(
        controller,
        didChange: object,
        at: old?.indexPath,
        for: type,
        newIndexPath: new?.indexPath
      )
    }
    for deletion in changes.deletions { tell(deletion.object, .delete, deletion.from, nil) }
    for insertion in changes.insertions { tell(insertion.object, .insert, nil, insertion.to) }
    for move in changes.moves { tell(move.object, .move, move.from, move.to) }
    for update in changes.updates { tell(update.object, .update, update.from, update.to) }
  }
}
