// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-case-paths",
  products: [
    .library(name: "CasePaths", targets: ["CasePaths"]),
    .library(name: "CasePathsCore", targets: ["CasePathsCore"]),
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "CasePaths",
      dependencies: [.product(name: "RondoTestCompatibility", package: "rondo")]),
    .target(
      name: "CasePathsCore", dependencies: [.product(name: "RondoCompatibility", package: "rondo")]),
  ]
)
