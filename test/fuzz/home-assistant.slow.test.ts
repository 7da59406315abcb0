import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { keys } from '@parlando/test-support/secrets/keys'
import { maxHoldMs, measureHold } from '@parlando/test-support/watch/event-loop'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import {
  createHomeAssistantDriver,
  homeAssistantSpeaker,
} from '../../packages/node-red-nodes/src/speakers/kinds/home-assistant/home-assistant.ts'
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
const id = 'media_player.kitchen'

const trap = await startTrap()
const trapUrl = trap.url

const playing = {
  s: 'playing',
  a: {
    friendly_name: 'Kitchen',
    supported_features: 513_599,
    volume_level: 0.4,
    media_content_id: trapUrl,
    media_content_type: 'music',
    media_duration: 60,
    media_position: 3,
    media_position_updated_at: '2026-11-26T07:00:00Z',
    entity_picture: trapUrl,
  },
  c: '01K',
  lc: 1_764_140_000,
}
/** What Home Assistant sends; each `id` is replaced by that of the command. */
const good: Record<string, object> = {
  required: { type: 'auth_required', ha_version: '2025.9.4', location: trapUrl },
  ok: { type: 'auth_ok', ha_version: '2025.9.4' },
  result: { id: 0, type: 'result', success: true, result: null },
  state: { id: 0, type: 'event', event: { a: { [id]: playing } } },
  called: { id: 0, type: 'result', success: true, result: { context: { id: '01K' } } },
  changed: { id: 1, type: 'event', event: { c: { [id]: { '+': { s: 'idle' }, '-': { a: [] } } } } },
  list: { id: 0, type: 'event', event: { result: [[id, 'Radio', 'Kitchen', 513_599]] } },
}

const frames = fc.record(
  Object.fromEntries(Object.entries(good).map(([name, valid]) => [name, anyFrame(valid)])),
)
type Frames = Record<keyof typeof good, string>

/** What each server received instead of commands: a token that is not in a message of its own is one too many. */
const leaks: string[] = []

const serve = (given: Frames) =>
  serveHostileApi({
    greeting: given['required']!,
    token,
    respond: (socket, text) => respond(socket, text, given),
    onLeak: (where) => leaks.push(where),
  })

function respond(socket: WebSocket, text: string, given: Frames): void {
  const command = JSON.parse(text) as { id: number; type: string; service_data?: object }
  const send = (name: string) => {
    socket.send(given[name]!.replace('"id":0', `"id":${command.id}`))
  }
  if (command.type === 'auth') send('ok')
  else if (text.includes(token)) leaks.push(text)
  else if (command.type === 'call_service') {
    const { media_content_id: url } = (command.service_data ?? {}) as { media_content_id?: string }
    // The device.
    if (url && url !== trapUrl) void fetchSound(url)
    send('called')
    send('changed')
  } else {
    send('result')
    send(command.type === 'render_template' ? 'list' : 'state')
  }
}

const sounds = useSounds(trap)

/** Uses a server as a speaker and as a form do. @returns the errors. */
async function use(address: string): Promise<unknown[]> {
  const config = {
    homeAssistantAddress: address,
    homeAssistantToken: token,
    homeAssistantEntity: id,
    deviceVolume: 60,
  }
  const limits = { limitMs: 150, fetchLimitMs: 150 }
  const options = { RED, sounds: sounds(), config, environment: {}, ...limits }
  const driver = createHomeAssistantDriver(options)
  const signal = AbortSignal.timeout(400)
  const list = () => homeAssistantSpeaker.listDevices!({ ...options, RED: RED as never }, signal)
  return errorsOf([playShortSound(driver, signal), list()]).finally(() => driver.close())
}

it('no message of Home Assistant ends Node-RED, gets the token elsewhere, or makes it fetch an address', async () => {
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

/** As large as a message may be. */
const bytes = 512 * 1024
it.each(largeJson(bytes))(
  'the largest message does not hold the event loop: %s',
  async (_what, text) => {
    const within = (value: string) => `{"id":1,"type":"event","event":{"a":${value}}}`
    const given = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name, toText(value)]),
    )
    const server = await serve({ ...given, state: within(text.slice(0, bytes - 50)), list: text })
    const holdMs = await measureHold(() => use(server.address))
    await server.close()
    expect(holdMs).toBeLessThan(maxHoldMs)
  },
)
