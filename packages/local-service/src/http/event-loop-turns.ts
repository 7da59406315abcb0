/** How long the messages of one client may hold the event loop. */
const maxTurnMs = 10

const waiting: (() => void)[] = []

/** Divides work in small steps, such as the messages of a client, so that other clients have their turns between them. */
export interface EventLoopTurns {
  /** Begins a turn: the work has waited for something. */
  begin(): void
  /** Waits for the next turn if this one takes too long. */
  endWhenLong(): Promise<void>
}

export function createEventLoopTurns(): EventLoopTurns {
  let startedAt = performance.now()
  const begin = () => {
    startedAt = performance.now()
  }
  return {
    begin,
    async endWhenLong() {
      if (performance.now() - startedAt < maxTurnMs) return
      await nextTurn()
      begin()
    },
  }
}

/** Resolves in a later turn of the event loop, in which nobody else who waits here works. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(startNext)
  })
}

function startNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNext)
}
