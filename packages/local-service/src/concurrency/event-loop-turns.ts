/** How long the messages of one client may hold the event loop. */
const maxTurnMs = 10

const waiting: (() => void)[] = []

/**
 * Divides work in small steps, such as the messages of a client, so that other clients have their turns between them.
 * @returns a function to call between two steps, which waits for the next turn if this one takes too long.
 */
export function createTurnLimit(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < maxTurnMs) return
    await nextTurn()
    startedAt = performance.now()
  }
}

/** Resolves in a later turn of the event loop, in which nobody else who waits here works. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startNext)
  })
}

function startNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNext)
}
