import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { modelMessages } from '@parlando/test-support/players/music-assistant/stand-in'
import { keys } from '@parlando/test-support/secrets/keys'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
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
} from './setups/hostile-api.ts'
import {
  errorsOf,
  expectErrorForUsers,
  playShortSound,
  useSounds,
} from './setups/hostile-player.ts'

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
    if (url) void fetchSound(url)
    send('changed')
    send('done')
  }
}

const sounds = useSounds(trap)

/** Uses a server as a speaker and as a form do. @returns the errors. */
async function use(address: string): Promise<unknown[]> {
  const config = {
    musicAssistantAddress: address,
    musicAssistantToken: token,
    musicAssistantPlayer: 'kitchen',
  }
  const limits = { limitMs: 150, fetchLimitMs: 150 }
  const options = { RED, sounds: sounds(), config, ...limits }
  const driver = createMusicAssistantDriver(options)
  const signal = AbortSignal.timeout(400)
  const list = () => musicAssistantSpeaker.listDevices!({ ...options, RED: RED as never }, signal)
  return errorsOf([playShortSound(driver, signal), list()]).finally(() => driver.close())
}

it('no message of Music Assistant ends Node-RED, gets the token elsewhere, or makes it fetch an address', async () => {
  await fuzz(
    frames,
    async (given) => {
      const server = await serve(given as Frames)
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
