// The home screen's environment as the options want it, on real and on virtual time.

import Dispatch
import Foundation
import HomeFeature
import Rondo

extension HomeEnvironment {
  /// The environment with the embedded services, or a real server.
  ///
  /// - Parameters:
  ///   - options: What the command line says.
  ///   - directory: The data directory.
  ///   - mainQueue: What delivers to the screen.
  ///   - backgroundQueue: What the services work on.
  ///   - now: The date.
  init(
    options: Options,
    directory: String,
    mainQueue: AnySchedulerOf<DispatchQueue>,
    backgroundQueue: AnySchedulerOf<DispatchQueue>,
    now: @escaping @Sendable () -> Date
  ) {
    let conditions = Conditions(
      seed: options.seed,
      latencies: options.latencies,
      failing: options.failing,
      speed: options.speed
    )
    let service = GameServiceStub(queue: backgroundQueue, conditions: conditions, now: now)
    let transport =
      options.server.map { HTTPTransport($0, timeout: options.timeout).transport }
      ?? EmbeddedServer(queue: backgroundQueue, conditions: conditions, now: now).transport
    self.init(
      fileClient: .live(
        directory: directory, queue: backgroundQueue, conditions: conditions, now: now),
      gameService: service.client,
      server: .live(transport: transport),
      sound: .preview,
      mainQueue: mainQueue,
      backgroundQueue: backgroundQueue,
      now: now
    )
  }

  /// The environment on real time.
  static func live(options: Options, directory: String) -> Self {
    let background = DispatchQueue(label: "isowords-home.background").eraseToAnyScheduler()
    return Self(
      options: options,
      directory: directory,
      mainQueue: options.scheduler.scheduler(
        main: .main, background: background),
      backgroundQueue: background,
      now: { Date() }
    )
  }

  /// The environment on a timeline.
  static func virtual(options: Options, directory: String, timeline: TestTimeline) -> Self {
    let queue = timeline.scheduler.eraseToAnyScheduler()
    return Self(
      options: options,
      directory: directory,
      mainQueue: options.scheduler.scheduler(main: queue, background: queue),
      backgroundQueue: queue,
      now: { timeline.date }
    )
  }
}

extension Options.DeliveryScheduler {
  fileprivate func scheduler(
    main: AnySchedulerOf<DispatchQueue>,
    background: AnySchedulerOf<DispatchQueue>
  ) -> AnySchedulerOf<DispatchQueue> {
    switch self {
    case .main: main
    case .immediate: .immediate
    case .ui: .ui
    case .background: background
    }
  }
}

extension Scheduler where Self == AnySchedulerOf<DispatchQueue> {
  /// `UIScheduler.shared`, which has no options, as a scheduler that ignores them.
  fileprivate static var ui: Self {
    let base = UIScheduler.shared
    return AnyScheduler(
      minimumTolerance: { base.minimumTolerance },
      now: { base.now },
      scheduleImmediately: { _, work in base.schedule(options: nil, work) },
      delayed: { base.schedule(after: $0, tolerance: $1, options: nil, $3) },
      interval: { base.schedule(after: $0, interval: $1, tolerance: $2, options: nil, $4) }
    )
  }
}
