export interface Task<Result> {
  /** Whether a listener is still waiting for the first sound: such tasks go before all others. */
  isFirst: boolean
  signal: AbortSignal
  run(): Promise<Result>
}

export interface Scheduler {
  /** Runs the task when its turn comes. @throws the signal's reason when it is aborted before. */
  schedule<Result>(task: Task<Result>): Promise<Result>
  readonly waiting: number
}

/** Lets `slots` tasks run at a time: first phrases before later ones, and in order of arrival within each. */
export function createScheduler(slots: number): Scheduler {
  const first: (() => void)[] = []
  const later: (() => void)[] = []
  let running = 0

  const startNext = () => {
    while (running < slots) {
      const start = first.shift() ?? later.shift()
      if (!start) return
      running += 1
      start()
    }
  }

  const turn = (isFirst: boolean, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = isFirst ? first : later
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(start), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(start)
      startNext()
    })

  return {
    async schedule(task) {
      task.signal.throwIfAborted()
      await turn(task.isFirst, task.signal)
      try {
        return await task.run()
      } finally {
        running -= 1
        startNext()
      }
    },
    get waiting() {
      return first.length + later.length
    },
  }
}
