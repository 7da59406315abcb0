import { maxHoldMs, measureHold } from '@parlando/test-support/event-loop'
import { keys } from '@parlando/test-support/keys'
import { serveSounds } from '@parlando/test-support/node-red/serve-sounds'
import { speakerTexts } from '@parlando/test-support/node-red/speaker-texts'
import { modelMessages } from '@parlando/test-support/players/music-assistant/stand-in'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { soundOf } from '../../packages/node-red-nodes/src/sounds/sound.ts'
import {
  createMusicAssistantDriver,
  musicAssistantSpeaker,
} from '../../packages/node-red-nodes/src/speakers/kinds/music-assistant/music-assistant.ts'
import { maxFrameBytes } from '../../packages/node-red-nodes/src/speakers/kinds/music-assistant/music-assistant-connection.ts'
import { fuzz } from './cases.ts'
import {
  anyFrame,
  fetchSound,
  largeJson,
  serveHostileApi,
  startTrap,
  toText,
} from './hostile-api.ts'

const RED = speakerTexts.en
const token = keys.service
const trap = await startTrap()

const player = {
  ...modelMessages.player,
  playback_state: 'playing',
  current_media: { uri: trap.url, image_url: trap.url },
  output_protocols: [{ output_protocol_id: trap.url }],
}
/** What Music Assistant sends; each `ID` is replaced by that of the command. */
const good: Record<string, object> = {
  greeting: { ...modelMessages.serverInfo, base_url: trap.url, internal_url: trap.url },
  authorised: { message_id: 'ID', result: { authenticated: true }, partial: false },
  player: { message_id: 'ID', result: player, partial: false },
  players: { message_id: 'ID', result: [player, player], partial: false },
  done: { message_id: 'ID', result: null, partial: false },
  changed: {
    ...{ event: 'player_updated', object_id: 'kitchen' },
    data: { ...player, playback_state: 'idle' },
  },
}

const frames = fc.record(
  Object.fromEntries(Object.entries(good).map(([name, valid]) => [name, anyFrame(valid)])),
)
type Frames = Record<keyof typeof good, string>

/** What a server received outside of the command for it. */
const leaks: string[] = []

const serve = (given: Frames) =>
  serveHostileApi({
    greeting: given['greeting']!,
    token,
    respond: (socket, text) => respond(socket, text, given),
    onLeak: (where) => leaks.push(where),
  })

function respond(socket: WebSocket, text: string, given: Frames): void {
  const { message_id: id, command, args } = JSON.parse(text) as Record<string, string>
  const send = (name: string) => socket.send(given[name]!.replace('"ID"', `"${id}"`))
  if (command === 'auth') send('authorised')
  else if (text.includes(token)) leaks.push(text)
  else if (command === 'players/get') send('player')
  else if (command === 'players/all') send('players')
  else {
    const { url } = args as unknown as { url?: string }
    if (url) fetchSound(url)
    send('changed')
    send('done')
  }
}

let sounds: Awaited<ReturnType<typeof serveSounds>>
beforeAll(async () => {
  sounds = await serveSounds()
})
afterAll(async () => {
  await sounds.close()
  trap.close()
})

/** Uses a server as a speaker and as a form do. @returns the errors. */
async function use(address: string): Promise<unknown[]> {
  const config = {
    musicAssistantAddress: address,
    musicAssistantToken: token,
    musicAssistantPlayer: 'kitchen',
  }
  const limits = { limitMs: 150, fetchLimitMs: 150 }
  const options = { RED, sounds: sounds.sounds, config, ...limits }
  const driver = createMusicAssistantDriver(options)
  const sound = soundOf({ audioEncoding: 'MP3', sampleRateHertz: 44_100 }, Buffer.alloc(400))
  const signal = AbortSignal.timeout(400)
  const play = async () => {
    await driver.prepare(signal)
    await driver.play(sound, { signal, volume: 50, onFirstSound() {}, handOut() {} })
  }
  const list = () => musicAssistantSpeaker.listDevices!({ ...options, RED: RED as never }, signal)
  const results = await Promise.allSettled([play(), list()])
  await driver.close()
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
}

const codes = ['NO_PLAYER', 'NOT_FETCHED', 'SPEAKER_NOT_REACHABLE', 'SPEAKER_REFUSED']

it('no message of Music Assistant ends Node-RED, gets the token elsewhere, or makes it fetch an address', async () => {
  await fuzz(
    frames,
    async (given) => {
      const server = await serve(given as Frames)
      try {
        for (const error of await use(server.address)) {
          const { name, code, message } = error as { name: string; code: string; message: string }
          if (name !== 'TimeoutError') expect(codes).toContain(code)
          expect(message).not.toContain(token)
          expect(message).toMatch(/^[^\p{Cc}]{10,1000}$/u)
        }
      } finally {
        await server.close()
      }
      expect(leaks).toEqual([])
      expect(trap.requests).toEqual([])
    },
    { lanes: 20, share: 0.2 },
  )
})

it.each(largeJson(maxFrameBytes))(
  'the largest message does not hold the event loop: %s',
  async (_what, text) => {
    const within = text.slice(0, maxFrameBytes - 100)
    const given = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name, toText(value)]),
    )
    const server = await serve({
      ...given,
      changed: `{"event":"player_updated","object_id":"kitchen","data":${within}}`,
      players: `{"message_id":"ID","result":${within}}`,
    })
    const holdMs = await measureHold(() => use(server.address))
    await server.close()
    expect(holdMs).toBeLessThan(maxHoldMs)
  },
)
