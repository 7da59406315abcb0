/** Whether something ends in time; how it ends later does not matter. @throws its error. */
export async function endsWithin(ms: number, ending: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<boolean>((resolve) => {
    // A process that was busy runs its timers before it reads what has arrived meanwhile.
    timer = setTimeout(() => setImmediate(resolve, false), ms)
  })
  const ended = ending.then(() => true)
  ended.catch(() => {})
  try {
    return await Promise.race([ended, passed])
  } finally {
    clearTimeout(timer)
  }
}
