// The instant at which the tests happen.

import Foundation

extension Date {
  /// 2026-03-14T15:09:26Z, nine hours before the next day's challenges.
  static let piDay = Date(timeIntervalSince1970: 1_773_500_966)
}
