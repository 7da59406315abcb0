import { randomBytes } from 'node:crypto'
import type {
  BrowserCommand,
  BrowserEvent,
} from '../../../node-red-nodes/src/speakers/browser/commands.ts'
import { chunksOf, receiveEvents } from './simulated-browser.ts'

/** The page of a speaker that plays each sound as fast as somebody reads it. */
export interface FastPage {
  /** The bytes of the next sounds, one sound after the other. Each ends when it was read. */
  nextSounds(count: number): AsyncGenerator<Buffer, void>
  close(): void
}

export async function openFastPage(baseUrl: string, name: string): Promise<FastPage> {
  const path = `${baseUrl}/parlando/speaker/${name}`
  const player = randomBytes(8).toString('hex')
  const closing = new AbortController()
  const { signal } = closing
  const offers: string[] = []
  let notify = () => {}

  const report = async (id: string, event: BrowserEvent) => {
    const query = new URLSearchParams({ id, player, event })
    const response = await fetch(`${path}/report?${query}`, { method: 'POST', signal })
    return ((await response.json()) as { play: boolean }).play
  }
  const take = async ({ type, id }: BrowserCommand) => {
    if (type === 'stop' || !(await report(id, 'ready'))) return
    offers.push(id)
    notify()
  }
  const token = await fetch(`${path}/token`, { method: 'POST', signal })
  const query = new URLSearchParams({ player, ...((await token.json()) as { token: string }) })
  await receiveEvents(`${path}/events?${query}`, signal, (command) => {
    void take(command).catch(() => {})
  })

  return {
    async *nextSounds(count) {
      for (let sound = 0; sound < count; sound++) {
        while (offers.length === 0) {
          await new Promise<void>((resolve) => {
            notify = resolve
          })
        }
        const id = offers.shift()!
        const response = await fetch(`${path}/audio?${new URLSearchParams({ id, player })}`, {
          signal,
        })
        if (!response.ok) throw new Error(`the audio has the status ${response.status}`)
        await report(id, 'started')
        yield* chunksOf(response.body)
        await report(id, 'ended')
      }
    },
    close: () => closing.abort(),
  }
}
