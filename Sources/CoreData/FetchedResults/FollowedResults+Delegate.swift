import Foundation

extension FollowedResults {
  /// Tells the delegate of changes: of new sections before objects, as Apple documents, and of
  /// sections that are gone behind the objects that left them, as Apple's framework does.
  func tell(_ delegate: any NSFetchedResultsControllerDelegate, _ changes: FetchedChanges) {
    guard let controller = controllerForDelegate() else { return }
    if sectionNameKeyPath == nil, delegateAcceptsDifferences, let difference = changes.difference {
      delegate.controller(controller, didChangeContentWith: difference)
      if delegateAcceptsDifferences { return }
    }
    delegate.controllerWillChangeContent(controller)
    let infos = changes.insertedSections.isEmpty ? [] : sectionInfos ?? []
    for section in changes.insertedSections {
      tell(delegate, controller, infos[section.index], section.index, .insert)
    }
    tellObjects(delegate, controller, changes)
    for section in changes.deletedSections {
      tell(
        delegate,
        controller,
        FetchedSectionInfo(section.section, title: indexTitle),
        section.index,
        .delete
      )
    }
    delegate.controllerDidChangeContent(controller)
  }

  private func tell(
    _ delegate: any NSFetchedResultsControllerDelegate,
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    _ section: FetchedSectionInfo,
    _ index: Int,
    _ type: NSFetchedResultsChangeType
  ) {
    delegate.controller(controller, didChange: section, atSectionIndex: index, for: type)
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
