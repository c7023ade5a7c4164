// The requests and answers between the program and the server.

import Foundation
import Rondo

/// A request, as HTTP has it.
public struct ServerRequest: Equatable, Sendable {
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  public var method: Method

  /// With its query: `/api/daily-challenges/today?language=en`.
  public var path: String

  /// The bearer token from the answer to ``ServerClient/authenticate``.
  public var accessToken: String?
  public var body: [UInt8]

  public init(method: Method, path: String, accessToken: String? = nil, body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.accessToken = accessToken
    self.body = body
  }
}

/// A response, as HTTP has it.
public struct ServerResponse: Equatable, Sendable {
  public var status: Int
  public var body: [UInt8]

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
  public var deviceId: String
  public var displayName: String?

  /// The id of the local player; `nil` where nobody has signed in to the game service.
  public var playerId: String?
  public var timeZone: String

  public init(deviceId: String, displayName: String?, playerId: String?, timeZone: String) {
    self.deviceId = deviceId
    self.displayName = displayName
    self.playerId = playerId
    self.timeZone = timeZone
  }
}

/// The answer to ``AuthenticationRequest``.
public struct AuthenticationResponse: Codable, Equatable, Sendable {
  public var accessToken: String
  public var player: Player

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
