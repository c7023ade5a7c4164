// A real server, over HTTP.

import Foundation
import Rondo
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Takes requests to a server over HTTP.
public final class HTTPTransport: Sendable {
  private let base: URL
  private let session: URLSession
  private let downloads: Downloads

  /// - Parameters:
  ///   - base: Where the server is; the paths of requests are added.
  ///   - timeout: How long a request may take.
  ///   - maximumSize: How many bytes an answer may have. What is longer is not read to its end.
  public init(_ base: URL, timeout: Duration = .seconds(10), maximumSize: Int = 1 << 20) {
    self.base = base
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout / .seconds(1)
    configuration.timeoutIntervalForResource = timeout / .seconds(1)
    configuration.httpCookieAcceptPolicy = .never
    downloads = Downloads(maximumSize: maximumSize)
    session = URLSession(configuration: configuration, delegate: downloads, delegateQueue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// This server as the client uses it. A request is cancelled with its effect.
  public var transport: ServerTransport {
    { [self] request in
      .run { [self] send in await send(response(to: request)) }
    }
  }

  private func response(to request: ServerRequest) async -> Result<ServerResponse, ServerError> {
    guard let request = urlRequest(request) else {
      return .failure(.unreachable("\(request.path) is no path"))
    }
    let task = session.dataTask(with: request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        downloads.begin(task) { continuation.resume(returning: $0) }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  private func urlRequest(_ request: ServerRequest) -> URLRequest? {
    let root = base.absoluteString
    guard
      let url = URL(string: (root.hasSuffix("/") ? String(root.dropLast()) : root) + request.path)
    else { return nil }
    var result = URLRequest(url: url)
    result.httpMethod = request.method.rawValue
    if request.method == .post {
      result.httpBody = Data(request.body)
      result.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    if let token = request.accessToken {
      result.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    return result
  }
}

/// The answers that are under way.
private final class Downloads: NSObject, URLSessionDataDelegate, Sendable {
  typealias Completion = @Sendable (Result<ServerResponse, ServerError>) -> Void

  private struct Download {
    var body = Data()
    var isTooLong = false
    var completion: Completion
  }

  private let maximumSize: Int
  private let downloads = Mutex<[Int: Download]>([:])

  init(maximumSize: Int) {
    self.maximumSize = maximumSize
  }

  func begin(_ task: URLSessionTask, completion: @escaping Completion) {
    downloads.withLock { $0[task.taskIdentifier] = Download(completion: completion) }
  }

  func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = downloads.withLock { downloads in
      downloads[task.taskIdentifier]?.body.append(data)
      let count = downloads[task.taskIdentifier]?.body.count ?? 0
      guard count > maximumSize else { return false }
      downloads[task.taskIdentifier]?.isTooLong = true
      downloads[task.taskIdentifier]?.body = Data()
      return true
    }
    if isTooLong { task.cancel() }
  }

  /// The server of the options is the one that is asked. Another one might be told the token.
  func urlSession(
    _: URLSession,
    task _: URLSessionTask,
    willPerformHTTPRedirection _: HTTPURLResponse,
    newRequest _: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let download = downloads.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
    else { return }
    if download.isTooLong {
      let problem = JSONProblem(place: "$", message: "longer than \(maximumSize) bytes")
      download.completion(.failure(.malformed(problem)))
    } else if let response = task.response as? HTTPURLResponse, error == nil {
      download.completion(
        .success(ServerResponse(status: response.statusCode, body: Array(download.body))))
    } else {
      download.completion(.failure(.unreachable(Self.words(for: error))))
    }
  }

  private static func words(for error: (any Error)?) -> String {
    switch (error as? URLError)?.code {
    case .timedOut?: "it took too long to answer"
    case .cannotConnectToHost?: "nobody answers there"
    case .cannotFindHost?: "there is no such host"
    case .networkConnectionLost?: "the connection was lost"
    case .badServerResponse?: "it hung up before it had answered"
    case .secureConnectionFailed?: "no secure connection could be made"
    case let code?: "error \(code.rawValue) of the network"
    case nil: "no answer"
    }
  }
}
