import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { keys } from '@parlando/test-support/secrets/keys'
import {
  createHomeAssistantDriver,
  homeAssistantSpeaker,
} from '../../../packages/node-red-nodes/src/speakers/kinds/home-assistant/home-assistant.ts'
import { type FuzzedApi, fuzzApi } from '../setups/fuzz-api.ts'
import { fetchSound, startTrap } from '../setups/hostile-api.ts'
import { errorsOf, playShortSound, useSounds } from '../setups/hostile-player.ts'

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
  greeting: { type: 'auth_required', ha_version: '2025.9.4', location: trapUrl },
  ok: { type: 'auth_ok', ha_version: '2025.9.4' },
  result: { id: 0, type: 'result', success: true, result: null },
  state: { id: 0, type: 'event', event: { a: { [id]: playing } } },
  called: { id: 0, type: 'result', success: true, result: { context: { id: '01K' } } },
  changed: { id: 1, type: 'event', event: { c: { [id]: { '+': { s: 'idle' }, '-': { a: [] } } } } },
  list: { id: 0, type: 'event', event: { result: [[id, 'Radio', 'Kitchen', 513_599]] } },
}

const respond: FuzzedApi['respond'] = (socket, text, given, leak) => {
  const command = JSON.parse(text) as { id: number; type: string; service_data?: object }
  const send = (name: string) => {
    socket.send(given[name]!.replace('"id":0', `"id":${command.id}`))
  }
  if (command.type === 'auth') send('ok')
  else if (text.includes(token)) leak(text)
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

/** As large as a message may be. */
const maxBytes = 512 * 1024

fuzzApi({
  name: 'Home Assistant',
  trap,
  token,
  good,
  respond,
  use,
  maxBytes,
  withLarge: (json) => ({
    state: `{"id":1,"type":"event","event":{"a":${json.slice(0, maxBytes - 50)}}}`,
    list: json,
  }),
})
