// The bundle of each node contains its own copy of every module; they share this object.
const key = Symbol.for('@parlando/node-red')
const globals = globalThis as { [key]?: object }
globals[key] ??= {}

/** What the nodes of the package share. A module that keeps something here declares its type. */
export const packageState: object = globals[key]
