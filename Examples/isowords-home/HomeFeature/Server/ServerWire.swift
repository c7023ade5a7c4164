// The requests and answers between the program and the server.

import Foundation
import Rondo

/// A request, as HTTP has it.
public struct ServerRequest: Equatable, Sendable {
  /// The methods of HTTP that the server knows.
  public enum Method: String, Sendable {
    /// A request for data.
    case get = "GET"
    /// A request that brings data.
    case post = "POST"
  }

  /// The endpoint of the client that asks, `server.weekInReview`: the name of the effect. It is not sent.
  public var endpoint: String

  /// The method.
  public var method: Method

  /// With its query: `/api/daily-challenges/today?language=en`.
  public var path: String

  /// The bearer token from the answer to ``ServerClient/authenticate``.
  public var accessToken: String?
  /// The bytes of the body; empty without one.
  public var body: [UInt8]

  /// A request; each parameter is the property of its name.
  public init(
    endpoint: String, method: Method, path: String, accessToken: String? = nil, body: [UInt8] = []
  ) {
    self.endpoint = endpoint
    self.method = method
    self.path = path
    self.accessToken = accessToken
    self.body = body
  }
}

/// A response, as HTTP has it.
public struct ServerResponse: Equatable, Sendable {
  /// The status code, such as 200.
  public var status: Int
  /// The bytes of the body; empty without one.
  public var body: [UInt8]

  /// A response; each parameter is the property of its name.
  public init(status: Int, body: [UInt8] = []) {
    self.status = status
    self.body = body
  }
}

/// A function that takes a request to a server and brings its response back.
public typealias ServerTransport =
  @Sendable (ServerRequest) -> Effect<Result<ServerResponse, ServerError>>

/// The body of `POST /api/authenticate`.
public struct AuthenticationRequest: Codable, Equatable, Sendable {
  /// The id of the device.
  public var deviceId: String
  /// The name of the player, if there is one.
  public var displayName: String?

  /// The id of the local player; `nil` where nobody has signed in to the game service.
  public var playerId: String?
  /// The name of the time zone, such as `Europe/Berlin`.
  public var timeZone: String

  /// A body; each parameter is the property of its name.
  public init(deviceId: String, displayName: String?, playerId: String?, timeZone: String) {
    self.deviceId = deviceId
    self.displayName = displayName
    self.playerId = playerId
    self.timeZone = timeZone
  }
}

/// The answer to ``AuthenticationRequest``.
public struct AuthenticationResponse: Codable, Equatable, Sendable {
  /// The token that later requests carry.
  public var accessToken: String
  /// The player, as the server knows them.
  public var player: Player

  /// An answer; each parameter is the property of its name.
  public init(accessToken: String, player: Player) {
    self.accessToken = accessToken
    self.player = player
  }
}

/// The body of `POST /api/daily-challenges/start`.
struct StartRequest: Codable {
  var gameMode: GameMode
  var language: Language
}

/// The bytes of a value on the wire: dates as seconds since 1970.
func encodeForWire(_ value: some Encodable) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.dateEncodingStrategy = .secondsSince1970
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  do {
    return Array(try encoder.encode(value))
  } catch {
    // The types on the wire are strings, whole numbers and finite dates, which all have a form.
    preconditionFailure("\(type(of: value)) cannot be encoded: \(error)")
  }
}
