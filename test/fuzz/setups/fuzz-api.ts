import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { fuzz } from '../cases.ts'
import { anyFrame, largeJson, serveHostileApi, type startTrap, toText } from './hostile-api.ts'
import { expectErrorForUsers } from './hostile-player.ts'

/** The messages of an API, by what they are. */
export type Frames = Record<string, string>

export interface FuzzedApi {
  name: string
  trap: Awaited<ReturnType<typeof startTrap>>
  token: string
  /** What a server sends: `greeting` is the first message to each client. */
  good: Readonly<Record<string, object>>
  /** @param leak receives a message that contains the token, and is not the one for it. */
  respond(socket: WebSocket, text: string, given: Frames, leak: (text: string) => void): void
  /** Uses a server as a speaker and as a form do. @returns the errors. */
  use(address: string): Promise<unknown[]>
  /** As large as a message may be. */
  maxBytes: number
  /** @returns messages with a JSON that is as large or larger. */
  withLarge(json: string): Frames
}

/** Tests the driver of a speaker with a server whose messages may be anything. */
export function fuzzApi(api: FuzzedApi): void {
  const { name, trap, token, good, use, maxBytes } = api
  /** What a server received outside of the message for it. */
  const leaks: string[] = []
  const leak = (where: string) => void leaks.push(where)
  const serve = (given: Frames) =>
    serveHostileApi({
      greeting: given['greeting']!,
      token,
      respond: (socket, text) => api.respond(socket, text, given, leak),
      onLeak: leak,
    })
  const frames = Object.entries(good).map(([what, valid]) => [what, anyFrame(valid)] as const)

  it(`no message of ${name} ends Node-RED, gets the token elsewhere, or makes it fetch an address`, async () => {
    await fuzz(
      fc.record(Object.fromEntries(frames)),
      async (given) => {
        const server = await serve(given)
        try {
          for (const error of await use(server.address)) expectErrorForUsers(error)
        } finally {
          await server.close()
        }
        expect(leaks).toEqual([])
        expect(trap.contacts).toEqual([])
      },
      { lanes: 20, share: 0.2 },
    )
  })

  it.each(largeJson(maxBytes))(
    'the largest message does not hold the event loop: %s',
    async (_what, json) => {
      const usual = Object.entries(good).map(([what, valid]) => [what, toText(valid)])
      const server = await serve({ ...Object.fromEntries(usual), ...api.withLarge(json) })
      const holdMs = await measureHold(() => use(server.address))
      await server.close()
      expect(holdMs).toBeLessThan(maxHoldMs)
    },
  )
}
