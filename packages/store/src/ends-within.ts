/** A machine that stands still for a moment, as virtual ones do, takes only one of these parts of the time. */
const parts = 8

/** Whether something ends in time; how it ends later does not matter. @throws its error. */
export async function endsWithin(ms: number, ending: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<boolean>((resolve) => {
    let left = parts
    const wait = () => {
      timer = setTimeout(() => {
        left -= 1
        if (left > 0) wait()
        // A process that was busy runs its timers before it reads what has arrived meanwhile.
        else setImmediate(resolve, false)
      }, ms / parts)
    }
    wait()
  })
  const ended = ending.then(() => true)
  ended.catch(() => {})
  try {
    return await Promise.race([ended, passed])
  } finally {
    clearTimeout(timer)
  }
}
