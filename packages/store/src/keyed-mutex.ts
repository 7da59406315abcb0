/** @returns runs the tasks of a key one after the other, in the order of the calls. Those of different keys run in parallel. */
export function createKeyedMutex() {
  const last = new Map<string, Promise<unknown>>()
  return async <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    const running = (last.get(key) ?? Promise.resolve()).then(task)
    const ended = running.catch(() => {})
    last.set(key, ended)
    try {
      return await running
    } finally {
      if (last.get(key) === ended) last.delete(key)
    }
  }
}
