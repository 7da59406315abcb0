import { unlessAborted } from './unless-aborted.ts'

/** Waits. @throws the reason of the signal; the delay of Node throws an error of its own. */
export async function abortableDelay(durationMs: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, durationMs)
  })
  await unlessAborted(over, signal).finally(() => clearTimeout(timer))
}
