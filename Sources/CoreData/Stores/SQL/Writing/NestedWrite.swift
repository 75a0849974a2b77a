/// A write within a transaction of the same store that does not belong to the transaction. It would wait for itself.
package enum NestedWrite {
  /// What is wrong, and the remedy.
  package static let problem = """
    the call is in a transaction of this store; fetch and save in the transaction's context, and save when a batch is \
    done, not in its handler
    """
}
