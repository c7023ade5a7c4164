// The isolation that a machine lives on.

/// The home of a machine: its isolation, or the actor to make the isolation for when it is needed.
enum MachineHome {
  case isolation(any HostIsolation)
  /// An actor that owns the machine. Its isolation is made with the first effect.
  case actor(Owner)

  struct Owner {
    // unowned(unsafe): the actor holds the machine, which asks for the isolation on the actor only.
    unowned(unsafe) let actor: any Actor
  }

  var isolation: any HostIsolation {
    switch self {
    case .isolation(let isolation): isolation
    case .actor(let owner): ActorIsolation(owner.actor)
    }
  }
}
