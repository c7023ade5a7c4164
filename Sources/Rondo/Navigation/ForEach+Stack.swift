// The features on a stack.

import RondoScheduling

/// A parent and the features on its stack, ready to run.
///
/// An element gets its action before the parent does. On ``StackAction/popFrom(id:)`` the elements
/// go away after the parent's reducer; on ``StackAction/push(id:state:)`` the element is there
/// before it. The effects of an element end when it is removed.
func preparedStack<Parent: Reducer, Element: Reducer>(
  of element: Element, in parent: Parent,
  state: WritableKeyPath<Parent.State, StackState<Element.State>>,
  action: AnyCasePath<Parent.Action, StackAction<Element.State, Element.Action>>,
  position: SourcePosition
) -> PreparedReducer<Parent.State, Parent.Action> {
  let parent = parent._prepare()
  let element = LazyReducer(element)
  let access = StateAccess(state)
  let place = ChildPlace(state)
  let locator = ChildLocator.stack(access)
  let entryIdentity = FieldIdentity(StackEntry<Element.State>.self)
  let toStack = action
  // Whether a stack at the place has kept a log.
  let keepsLog = SharedFlag()

  func reduceElement(
    _ stack: UnsafeMutablePointer<StackState<Element.State>>, _ id: StackElementID,
    _ action: Element.Action
  ) -> Effect<Parent.Action>? {
    guard let index = stack.pointee.entries.index(id: id) else { return nil }
    if let entryIdentity { stack.pointee.entries.elementIdentity = entryIdentity }
    stack.pointee.entries.keepLog()
    keepsLog.set()
    let addition = stack.pointee.entries[index].addition
    return PresentationScope.enter {
      element.reduce(into: &stack.pointee.entries[index].element!, action: action)
    }.ofChild(
      ChildID(place: place, identity: ChildIdentity(id: id, stamp: addition)), locator,
      dismissal: { toStack.embed(.popFrom(id: id)) },
      embed: { toStack.embed(.element(id: id, action: $0)) })
  }

  return { state, action in
    let (before, version) = access.read(&state) {
      ($0.pointee.entries.stamp, $0.pointee.entries.log?.version)
    }
    var effect = Effect<Parent.Action>.none
    var popped: StackElementID?
    switch toStack.extract(from: action) {
    case .element(let id, let elementAction)?:
      effect =
        access.with(&state) { reduceElement($0, id, elementAction) }
        ?? position.missingChild(
          of: "forEach", Element.State.self, in: Parent.State.self,
          missingID(id, among: access.read(&state) { Array($0.pointee.entries.ids.prefix(4)) }),
          action)
    case .popFrom(let id)?:
      popped = id
      if access.read(&state, { $0.pointee.entries.index(id: id) == nil }) {
        position.reportMissingChild(
          of: "forEach", Element.State.self, in: Parent.State.self,
          missingID(id, among: access.read(&state) { Array($0.pointee.entries.ids.prefix(4)) }),
          action)
      }
    case .push(let id, let new)?:
      access.read(&state) { stack in
        if let next = stack.pointee.nextNumberInTest, id.number > next {
          position.reportSkippedNumber(id, next, action, of: Parent.State.self)
        }
      }
      if !access.with(&state, { $0.pointee.push(new, under: id) }) {
        position.reportTakenID(id, action, of: Parent.State.self)
      }
    case nil:
      break
    }
    effect = parent(&state, action).after(effect)
    if let popped { access.with(&state) { $0.pointee.pop(from: popped) } }
    // Another stack may be in the place of one that kept a log; see ``preparedElements``.
    let (after, hasLog) = access.read(&state) {
      ($0.pointee.entries.stamp, $0.pointee.entries.log != nil)
    }
    if !hasLog, keepsLog.isSet, access.isStored {
      access.with(&state) { $0.pointee.entries.keepLog() }
    }
    guard after != before else { return effect }
    let alive = Unchecked(access.read(&state) { $0.pointee.entries })
    let ids = ElementChanges(of: alive.value, since: version).ids
    return effect.merge(
      with: .endChildren(at: place, among: ids) { child in
        guard let id = child.id as? StackElementID else { return false }
        return alive.value[id: id]?.addition.number == child.stamp
      })
  }
}

extension SourcePosition {
  /// Reports an element that was pushed under an id that is taken.
  fileprivate func reportTakenID(_ id: StackElementID, _ action: Any, of parent: Any.Type) {
    report(
      "forEach",
      """
      received \(summary(of: action)), which pushes an element under the id \(id) of another one.
      """,
      """
      The stack was left as it was, and the parent still gets the action. Change the stack in the \
      parent's reducer with 'append(_:)', which chooses the id.
      """, of: parent)
  }

  /// Reports an element that a test pushes under an id that is not the next one.
  fileprivate func reportSkippedNumber(
    _ id: StackElementID, _ next: Int, _ action: Any, of parent: Any.Type
  ) {
    report(
      "forEach", "received \(summary(of: action)), but the next id is #\(next).",
      """
      In a test the elements of all stacks are numbered from 0, in the order in which they are added. \
      Push under \(next).
      """, of: parent)
  }
}
