/// The error of writes to a store that is being closed.
package struct StoreClosing: Error {
  package init() {}
}
