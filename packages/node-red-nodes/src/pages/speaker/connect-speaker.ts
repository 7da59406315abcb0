import {
  createPlayerId,
  createSpeakerClient,
  type SpeakerClientOptions,
} from '../speaker-client.ts'
import { type CommandOptions, receiveCommands } from './receive-commands.ts'

export interface SpeakerPageOptions extends Omit<SpeakerClientOptions, 'server'> {
  onConnected: CommandOptions['onConnected']
  onAlarms?: CommandOptions['onAlarms']
}

/**
 * Makes this page play the sounds of a speaker.
 * @param path The path of the page of the speaker.
 */
export function connectSpeaker(
  path: string,
  { onConnected, onAlarms = () => {}, ...options }: SpeakerPageOptions,
) {
  const player = createPlayerId()
  const { take, ...client } = createSpeakerClient({
    ...options,
    server: {
      async report(id, event) {
        const query = new URLSearchParams({ id, player, event })
        const response = await fetch(`${path}/report?${query}`, { method: 'POST', keepalive: true })
        return ((await response.json()) as { play: boolean }).play
      },
      fetchAudio: (id) => fetch(`${path}/audio?${new URLSearchParams({ id, player })}`),
    },
  })
  receiveCommands(path, player, { onCommand: take, onAlarms, onConnected })
  return {
    ...client,
    /** Acknowledges an alarm. The server then sends the alarms that remain. */
    acknowledge: (id: string) =>
      fetch(`${path}/acknowledge?${new URLSearchParams({ id, player })}`, { method: 'POST' }),
  }
}

/**
 * Keeps the screen on and the sound audible, where the browser can.
 * @param session What the page does with sound: it only plays, or it also records.
 */
export function keepAwake(session: 'playback' | 'play-and-record'): void {
  const request = () => {
    if (document.visibilityState === 'visible')
      // Only over https, and on the machine itself.
      navigator.wakeLock?.request('screen').catch(() => {})
  }
  request()
  // The lock ends when the page is hidden.
  document.addEventListener('visibilitychange', request)

  // Safari 17 and later: an iPhone plays sounds of a page also while its switch is on silent.
  const { audioSession } = navigator as { audioSession?: { type: string } }
  if (audioSession) audioSession.type = session
}
