// A real server, over HTTP.

import Foundation
// With it no answer of a server ends the program.
import RondoNetworking
import Synchronization

/// Takes requests to a server over HTTP.
public final class HTTPTransport: Sendable {
  private let base: URL
  private let session: URLSession
  private let downloads: Downloads
  private let timeout: Duration

  /// A transport to a server.
  ///
  /// - Parameters:
  ///   - base: Where the server is; the paths of requests are added.
  ///   - timeout: How long a request may take, from its start to the end of the answer.
  ///   - maximumSize: How many bytes an answer may have. What is longer is not read to its end.
  public init(_ base: URL, timeout: Duration = .seconds(10), maximumSize: Int = 1 << 20) {
    self.base = base
    self.timeout = timeout
    let configuration = URLSessionConfiguration.ephemeral
    // The session's own time-out begins anew with every byte, and is here for nothing but to be longer.
    configuration.timeoutIntervalForRequest = timeout / .seconds(1) + 60
    configuration.httpCookieAcceptPolicy = .never
    // A cache would keep an answer of any length.
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    downloads = Downloads(maximumSize: maximumSize)
    session = URLSession(configuration: configuration, delegate: downloads, delegateQueue: nil)
  }

  deinit {
    session.invalidateAndCancel()
  }

  /// This server as the client uses it. A request is cancelled with its effect.
  public var transport: ServerTransport {
    { [self] request in
      .run(name: request.endpoint) { [self] send in await send(response(to: request)) }
    }
  }

  /// An error in words.
  static func words(for error: any Error) -> String { Downloads.words(for: error) }

  private func response(to request: ServerRequest) async -> Result<ServerResponse, ServerError> {
    guard let request = urlRequest(request) else {
      return .failure(.unreachable("\(request.path) is no path"))
    }
    let task = session.dataTask(with: request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        downloads.begin(task) { continuation.resume(returning: $0) }
        task.resume()
        endInTime(task)
        // The effect may have been cancelled before there was something to give up.
        if Task.isCancelled { downloads.giveUp(task, "it is not asked any more") }
      }
    } onCancel: {
      downloads.giveUp(task, "it is not asked any more")
    }
  }

  /// Gives a request up that takes too long.
  private func endInTime(_ task: URLSessionTask) {
    let end = DispatchTime.now() + timeout / .seconds(1)
    DispatchQueue.global().asyncAfter(deadline: end) { [weak downloads, weak task] in
      if let task { downloads?.giveUp(task, Downloads.tooLate) }
    }
  }

  private func urlRequest(_ request: ServerRequest) -> URLRequest? {
    let root = base.absoluteString
    guard
      let url = URL(string: (root.hasSuffix("/") ? String(root.dropLast()) : root) + request.path)
    else { return nil }
    var result = URLRequest(url: url)
    result.httpMethod = request.method.rawValue
    // A few compressed bytes may become any number of others.
    result.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
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

  /// Ends a download that has not come to its end, and does not wait for the session to notice.
  func giveUp(_ task: URLSessionTask, _ reason: String) {
    end(task, .failure(.unreachable(reason)))
  }

  /// Ends a download with the part of its answer that is known. Later data is dropped.
  private func end(_ task: URLSessionTask, _ result: Result<ServerResponse, ServerError>) {
    let download = downloads.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    download?.completion(result)
    // Cancelling waits for the session, which may be busy with what still comes.
    if download != nil { DispatchQueue.global().async { task.cancel() } }
  }

  private var tooLong: Result<ServerResponse, ServerError> {
    .failure(.malformed(JSONProblem(place: "$", message: "longer than \(maximumSize) bytes")))
  }

  func urlSession(
    _: URLSession,
    dataTask task: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    guard let response = response as? HTTPURLResponse else { return }
    let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
    if response.statusCode == 401 {
      // Nothing else in the answer matters. The session would answer the challenge by itself.
      end(task, .success(ServerResponse(status: 401)))
    } else if encoding.lowercased() != "identity" {
      let problem = JSONProblem(
        place: "$",
        message: "compressed by \(encoding.onOneLine.prefix(32)), which nobody has asked for")
      end(task, .failure(.malformed(problem)))
    } else if response.expectedContentLength > Int64(maximumSize) {
      end(task, tooLong)
    }
  }

  func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = downloads.withLock { downloads in
      // A download that has ended is not there any more.
      guard let count = downloads[task.taskIdentifier]?.body.count else { return false }
      guard count + data.count <= maximumSize else { return true }
      downloads[task.taskIdentifier]?.body.append(data)
      return false
    }
    if isTooLong { end(task, tooLong) }
  }

  /// A challenge is answered by signing in, which is not the session's to do.
  func urlSession(
    _: URLSession,
    task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    end(task, .success(ServerResponse(status: 401)))
    completionHandler(.cancelAuthenticationChallenge, nil)
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
    if let response = task.response as? HTTPURLResponse, error == nil {
      download.completion(
        .success(ServerResponse(status: response.statusCode, body: Array(download.body))))
    } else {
      download.completion(.failure(.unreachable(Self.words(for: error))))
    }
  }

  static let tooLate = "it took too long to answer"

  /// An error in words, without numbers that only a programmer knows.
  static func words(for error: (any Error)?) -> String {
    guard let error else { return "no answer" }
    switch (error as? URLError)?.code {
    case .timedOut?: return tooLate
    case .cannotConnectToHost?: return "nobody answers there"
    case .cannotFindHost?: return "there is no such host"
    case .networkConnectionLost?: return "the connection was lost"
    case .badServerResponse?:
      let reason = words(of: error as NSError)
      return reason.contains("HTTP") ? reason : "it hung up before it had answered"
    case .secureConnectionFailed?: return "no secure connection could be made"
    case .serverCertificateUntrusted?, .serverCertificateHasUnknownRoot?,
      .serverCertificateHasBadDate?, .serverCertificateNotYetValid?:
      return "its certificate is not to be trusted"
    case .notConnectedToInternet?: return "there is no network"
    default: return words(of: error as NSError)
    }
  }

  /// The words of the network library, with what kind of trouble they are about.
  private static func words(of error: NSError) -> String {
    guard let words = (error.userInfo[NSLocalizedDescriptionKey] as? String)?.onOneLine else {
      return "the network failed"
    }
    let kinds = [
      ("certificate", "its certificate is not to be trusted"),
      ("SSL", "no secure connection could be made"), ("TLS", "no secure connection could be made"),
      ("HTTP", "it does not speak HTTP as it should"),
      ("chunk", "it does not speak HTTP as it should"),
      ("transfer closed", "the connection was lost"), ("Recv failure", "the connection was lost"),
    ]
    let kind = kinds.first { words.localizedCaseInsensitiveContains($0.0) }?.1
    return kind.map { "\($0) (\(words))" } ?? words
  }
}
