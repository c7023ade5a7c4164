// swift-tools-version: 6.2
import PackageDescription

// For sources with an environment. It takes the place of the package of the same name in the
// folder above.
let package = Package(
  name: "swift-composable-architecture",
  products: [
    .library(name: "ComposableArchitecture", targets: ["ComposableArchitecture"])
  ],
  dependencies: [.package(name: "rondo", path: "../../..")],
  targets: [
    .target(
      name: "ComposableArchitecture",
      dependencies: [
        .product(name: "RondoEnvironment", package: "rondo")
      ]
    )
  ]
)
