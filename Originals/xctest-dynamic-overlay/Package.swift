// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "xctest-dynamic-overlay",
  products: [
    .library(name: "IssueReporting", targets: ["IssueReporting"]),
    .library(name: "IssueReportingTestSupport", targets: ["IssueReportingTestSupport"]),
    .library(name: "XCTestDynamicOverlay", targets: ["XCTestDynamicOverlay"]),
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "IssueReporting", dependencies: [.product(name: "RondoCompatibility", package: "rondo")]
    ),
    .target(
      name: "IssueReportingTestSupport",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")]),
    .target(
      name: "XCTestDynamicOverlay",
      dependencies: [.product(name: "RondoCompatibility", package: "rondo")]),
  ]
)
