// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-custom-dump",
  products: [
    .library(name: "CustomDump", targets: ["CustomDump"])
  ],
  dependencies: [.package(name: "rondo", path: "../..")],
  targets: [
    .target(
      name: "CustomDump", dependencies: [.product(name: "RondoTestCompatibility", package: "rondo")]
    )
  ]
)
