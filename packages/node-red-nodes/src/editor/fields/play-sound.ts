import { text } from '../red.ts'

/** Plays to the end. @throws an Error if the browser cannot play it. */
export function playSound(url: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const audio = new Audio(url)
    signal.addEventListener('abort', () => {
      audio.pause()
      resolve()
    })
    audio.onended = () => resolve()
    audio.onerror = () => reject(new Error(text('not-playable')))
    audio.play().catch(() => reject(new Error(text('not-playable'))))
  })
}
