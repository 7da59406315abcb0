/** Runs one task at a time, in the order of the calls. A task that fails does not stop the next one. */
export type Mutex = <Result>(task: () => Promise<Result>) => Promise<Result>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => {})
    return result
  }
}
