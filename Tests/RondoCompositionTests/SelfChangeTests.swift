// C2, C4: a child that changes itself, however much, stays the child that it is.

@testable import Rondo
import Testing

/// A child whose state is an enum without case paths, and which walks from case to case by itself.
private struct Download: Reducer {
  enum State: Equatable { case idle, loading }
  enum Action { case start, stop }

  var lives: Lives

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      state = .loading
      return .run { [lives] _ in
        lives.begin()
        defer { lives.end() }
        try await Task.never()
      }
      .cancellable(id: "download")
    case .stop:
      return .cancel(id: "download")
    }
  }
}

/// A child with an observable identity, which starts over by itself.
private struct Form: Reducer {
  struct State: ObservableState {
    var text = ""
    private var _$observationRegistrar = ObservationStateRegistrar()
    var _$id: ObservableStateID { _$observationRegistrar.id }
    mutating func _$willModify() { _$observationRegistrar._$willModify() }

    init(text: String = "") { self.text = text }
  }
  enum Action { case startOver }

  var lives: Lives

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state = State(text: "again")
    return .run { [lives] _ in
      lives.begin()
      defer { lives.end() }
      try await Task.never()
    }
  }
}

private struct Owner: Reducer {
  enum Mode { case downloading(Download.State) }

  struct State {
    var download: Download.State? = .idle
    var form: Form.State? = Form.State()
    @PresentationState var presentedDownload: Download.State? = .idle
    @PresentationState var presentedForm: Form.State? = Form.State()
    var mode = Mode.downloading(.idle)
  }

  enum Action: CasePathable {
    case download(Download.Action), form(Form.Action)
    case presentedDownload(PresentationAction<Download.Action>)
    case presentedForm(PresentationAction<Form.Action>)
    case mode(Download.Action)
    case startOverAll, startOverAndDownload

    struct AllCasePaths: Sendable {
      let download = AnyCasePath(Action.download)
      let form = AnyCasePath(Action.form)
      let presentedDownload = AnyCasePath(Action.presentedDownload)
      let presentedForm = AnyCasePath(Action.presentedForm)
      let mode = AnyCasePath(Action.mode)
    }
    static let allCasePaths = AllCasePaths()
  }

  var lives: Lives

  var body: some ReducerOf<Self> {
    Scope(state: \.mode, action: \.mode) {
      EmptyReducer<Mode, Download.Action>()
        .ifCaseLet(AnyCasePath(Mode.downloading), action: AnyCasePath()) {
          Download(lives: lives)
        }
    }
    Reduce { state, action in
      switch action {
      case .startOverAll:
        state = State()
        return .none
      case .startOverAndDownload:
        state = State()
        return .send(.download(.start))
      default: return .none
      }
    }
    .ifLet(\.download, action: \.download) { Download(lives: lives) }
    .ifLet(\.form, action: \.form) { Form(lives: lives) }
    .ifLet(\.$presentedDownload, action: \.presentedDownload) { Download(lives: lives) }
    .ifLet(\.$presentedForm, action: \.presentedForm) { Form(lives: lives) }
  }
}

@MainActor @Suite struct SelfChangeTests {
  private let lives = Lives()

  private func makeStore() -> StoreOf<Owner> {
    Store(initialState: Owner.State()) { Owner(lives: lives) }
  }

  @Test(arguments: [0, 1, 2, 3, 4])
  fileprivate func aChildThatChangesItselfKeepsItsEffects(kind: Int) async {
    let store = makeStore()
    let task = store.send(
      [
        .download(.start), .form(.startOver), .presentedDownload(.presented(.start)),
        .presentedForm(.presented(.startOver)), .mode(.start),
      ][kind])
    await lives.reach(1)
    #expect(!task.isFinished)
    task.cancel()
    await lives.reach(0)
  }

  @Test func aChildThatHasChangedItselfCancelsWhatItStartedBefore() async {
    let store = makeStore()
    for (start, stop) in [
      (Owner.Action.download(.start), Owner.Action.download(.stop)),
      (.presentedDownload(.presented(.start)), .presentedDownload(.presented(.stop))),
      (.mode(.start), .mode(.stop)),
    ] {
      let task = store.send(start)
      store.send(stop)
      #expect(task.isFinished)
    }
    await lives.reach(0)
  }

  @Test func aStoreFollowsAChildThatChangesItself() {
    let store = makeStore()
    let download = store.scope(state: \.download, action: \.download)
    let form = store.scope(state: \.form, action: \.form)
    let presented = store.scope(state: \.presentedForm, action: \.presentedForm.presented)
    download?.send(.start)
    form?.send(.startOver)
    presented?.send(.startOver)
    #expect(download?.state == .loading)
    #expect(form?.state.text == "again")
    #expect(presented?.state.text == "again")
    #expect(store.scope(state: \.download, action: \.download) === download)
    #expect(store.scope(state: \.form, action: \.form) === form)
    #expect(store.scope(state: \.presentedForm, action: \.presentedForm.presented) === presented)
    let issues = captureIssues {
      download?.send(.start).cancel()
      form?.send(.startOver).cancel()
      presented?.send(.startOver).cancel()
    }
    #expect(issues.isEmpty)
  }

  @Test func aChildThatItsParentPutsIntoAnotherCaseEndsItsEffects() async {
    let store = makeStore()
    let tasks = [
      store.send(.download(.start)), store.send(.presentedDownload(.presented(.start))),
    ]
    await lives.reach(2)
    store.send(.startOverAll)
    #expect(tasks.map(\.isFinished) == [true, true])
    await lives.reach(0)
  }

  @Test func whatTheNewChildStartsInTheSameTurnGoesOn() async {
    let store = makeStore()
    let old = store.send(.download(.start))
    let new = store.send(.startOverAndDownload)
    #expect(old.isFinished)
    #expect(!new.isFinished)
    new.cancel()
    await lives.reach(0)
  }
}
