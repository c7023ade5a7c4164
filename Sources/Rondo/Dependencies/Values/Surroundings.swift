// The surroundings of the program: its user's calendar, language and time zone.

import Foundation

extension DependencyValues {
  /// The user's calendar. Reported in tests.
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// The user's language and region. Reported in tests.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The user's time zone. Reported in tests.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }

  /// The languages that the user prefers, first to last. Reported in tests.
  public var preferredLocales: [Locale] {
    get { self[PreferredLocalesKey.self] }
    set { self[PreferredLocalesKey.self] = newValue }
  }

  /// The center through which the parts of a program tell each other about events. Every test has
  /// one of its own.
  public var notificationCenter: NotificationCenter {
    get { self[NotificationCenterKey.self].center }
    set { self[NotificationCenterKey.self] = SharedNotificationCenter(center: newValue) }
  }
}

private enum CalendarKey: DependencyKey {
  static var liveValue: Calendar { .autoupdatingCurrent }
}

private enum LocaleKey: DependencyKey {
  static var liveValue: Locale { .autoupdatingCurrent }
}

private enum TimeZoneKey: DependencyKey {
  static var liveValue: TimeZone { .autoupdatingCurrent }
}

private enum PreferredLocalesKey: DependencyKey {
  static var liveValue: [Locale] { Locale.preferredLanguages.map(Locale.init(identifier:)) }
}

private enum NotificationCenterKey: DependencyKey {
  static var liveValue: SharedNotificationCenter { SharedNotificationCenter(center: .default) }
  static var testValue: SharedNotificationCenter {
    SharedNotificationCenter(center: NotificationCenter())
  }
}

// @unchecked: a notification center locks itself.
private struct SharedNotificationCenter: @unchecked Sendable {
  let center: NotificationCenter
}
