import Foundation

extension FollowedResults {
  /// Calls the delegate's methods for changes. New sections are reported before objects, as Apple documents.
  /// Removed sections are reported after the objects that left them, as Apple's framework does.
  func tell(_ delegate: any NSFetchedResultsControllerDelegate, changes: FetchedChanges) {
    guard let controller = controllerForDelegate() else { return }
    if sectionNameKeyPath == nil, delegateAcceptsDifferences, let difference = changes.difference {
      delegate.controller(controller, didChangeContentWith: difference)
      if delegateAcceptsDifferences { return }
    }
    delegate.controllerWillChangeContent(controller)
    let infos = changes.insertedSections.isEmpty ? [] : sectionInfos ?? []
    for section in changes.insertedSections {
      tell(
        delegate,
        controller: controller,
        section: infos[section.index],
        index: section.index,
        type: .insert
      )
    }
    tellObjects(delegate, controller: controller, changes: changes)
    for section in changes.deletedSections {
      tell(
        delegate,
        controller: controller,
        section: FetchedSectionInfo(section.section, title: indexTitle),
        index: section.index,
        type: .delete
      )
    }
    delegate.controllerDidChangeContent(controller)
  }

  private func tell(
    _ delegate: any NSFetchedResultsControllerDelegate,
    controller: NSFetchedResultsController<any NSFetchRequestResult>,
    section: FetchedSectionInfo,
    index: Int,
    type: NSFetchedResultsChangeType
  ) {
    delegate.controller(controller, didChange: section, atSectionIndex: index, for: type)
  }

  private func tellObjects(
    _ delegate: any NSFetchedResultsControllerDelegate,
    controller: NSFetchedResultsController<any NSFetchRequestResult>,
    changes: FetchedChanges
  ) {
    func tell(
      _ object: NSManagedObject,
      type: NSFetchedResultsChangeType,
      old: FetchedPosition?,
      new: FetchedPosition?
    ) {
      delegate.controller(
        controller,
        didChange: object,
        at: old?.indexPath,
        for: type,
        newIndexPath: new?.indexPath
      )
    }
    for deletion in changes.deletions { tell(deletion.object, type: .delete, old: deletion.from, new: nil) }
    for insertion in changes.insertions { tell(insertion.object, type: .insert, old: nil, new: insertion.to) }
    for move in changes.moves { tell(move.object, type: .move, old: move.from, new: move.to) }
    for update in changes.updates { tell(update.object, type: .update, old: update.from, new: update.to) }
  }
}
