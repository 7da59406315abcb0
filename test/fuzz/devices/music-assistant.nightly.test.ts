import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { modelMessages } from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant'
import { keys } from '@parlando/test-support/secrets/keys'
import {
  createMusicAssistantDriver,
  musicAssistantSpeaker,
} from '../../../packages/node-red-nodes/src/speakers/kinds/music-assistant/music-assistant.ts'
import { maxFrameBytes } from '../../../packages/node-red-nodes/src/speakers/kinds/music-assistant/music-assistant-connection.ts'
import { type FuzzedApi, fuzzApi } from '../setups/fuzz-api.ts'
import { fetchSound, startTrap } from '../setups/hostile-api.ts'
import { errorsOf, playShortSound, useSounds } from '../setups/hostile-player.ts'

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

const respond: FuzzedApi['respond'] = (socket, text, given, leak) => {
  const { message_id: id, command, args } = JSON.parse(text) as Record<string, string>
  const send = (name: string) => socket.send(given[name]!.replace('"ID"', `"${id}"`))
  if (command === 'auth') send('authorised')
  else if (text.includes(token)) leak(text)
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

fuzzApi({
  name: 'Music Assistant',
  trap,
  token,
  good,
  respond,
  use,
  maxBytes: maxFrameBytes,
  withLarge(json) {
    const within = json.slice(0, maxFrameBytes - 100)
    return {
      changed: `{"event":"player_updated","object_id":"kitchen","data":${within}}`,
      players: `{"message_id":"ID","result":${within}}`,
    }
  },
})
