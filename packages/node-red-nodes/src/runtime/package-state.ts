// The bundle of each node contains its own copy of every module; they share this map.
const key = Symbol.for('@parlando/node-red')
const globals = globalThis as { [key]?: Map<string, unknown> }
globals[key] ??= new Map()
const states = globals[key]

/**
 * The state with a name, which all nodes of the package share.
 * @param create makes it, for the first copy of a module that needs it.
 */
export function packageState<State>(name: string, create: () => State): State {
  if (!states.has(name)) states.set(name, create())
  return states.get(name) as State
}

/**
 * The state with a name for one owner, as long as the owner lasts. The owner is a part of a Node-RED, such as `RED.events`: one
 * process may run several, as tests do, each with a state of its own.
 * @param create makes it, for the first node of this owner.
 */
export function stateOf<State extends object>(
  owner: object,
  name: string,
  create: () => State,
): State {
  const byOwner = packageState(name, () => new WeakMap<object, State>())
  const known = byOwner.get(owner)
  if (known) return known
  const created = create()
  byOwner.set(owner, created)
  return created
}
