// The stores of children that a store has made.

/// Keeps what a store was scoped to, by the two key paths that say to what.
///
/// A key path that is written in the source is one object, as a rule, and is found by its address.
/// One that is made anew for each use, because it captures something, is compared by its value.
struct ScopedStores {
  enum Kind {
    case part, optional, list
  }

  private struct Address: Hashable {
    let state: ObjectIdentifier
    let action: ObjectIdentifier
    let kind: Kind
  }

  private struct Name: Hashable {
    let state: AnyKeyPath
    let action: AnyKeyPath
    let kind: Kind
  }

  private struct Entry {
    let name: Name
    let child: AnyObject
  }

  private var byAddress: [Address: Entry] = [:]
  private var byName: [Name: AnyObject] = [:]

  /// As many addresses are remembered. Key paths that are made anew all the time would add up.
  private static let addressLimit = 256

  /// What was kept under two names. The kind and the types of the names determine its type.
  mutating func find<Child: AnyObject>(
    _ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind
  ) -> Child? {
    let address = Address(
      state: ObjectIdentifier(state), action: ObjectIdentifier(action), kind: kind)
    if let entry = byAddress[address] { return unsafeDowncast(entry.child, to: Child.self) }
    let name = Name(state: state, action: action, kind: kind)
    guard let child = byName[name] else { return nil }
    remember(Entry(name: name, child: child), at: address)
    return unsafeDowncast(child, to: Child.self)
  }

  mutating func keep(
    _ child: AnyObject, _ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind
  ) {
    let name = Name(state: state, action: action, kind: kind)
    byName[name] = child
    remember(
      Entry(name: name, child: child),
      at: Address(state: ObjectIdentifier(state), action: ObjectIdentifier(action), kind: kind))
  }

  mutating func forget(_ state: AnyKeyPath, _ action: AnyKeyPath, _ kind: Kind) {
    let name = Name(state: state, action: action, kind: kind)
    byName[name] = nil
    byAddress = byAddress.filter { $0.value.name != name }
  }

  /// The entry retains the key paths, so that their addresses are not used again.
  private mutating func remember(_ entry: Entry, at address: Address) {
    if byAddress.count >= Self.addressLimit { byAddress = [:] }
    byAddress[address] = entry
  }
}
