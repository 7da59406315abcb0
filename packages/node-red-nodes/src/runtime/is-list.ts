// As many entries as the client accepts. Every loop visits empty places, too: `new Array(2 ** 31)` would hold Node-RED for
// minutes, or take all its memory.
const maxListLength = 100_000

/** Whether a value of a message is an array that a node can go through. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length <= maxListLength
}
