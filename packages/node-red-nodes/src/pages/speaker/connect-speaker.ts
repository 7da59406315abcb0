import {
  createPlayerId,
  createSpeakerClient,
  type SpeakerClientOptions,
} from '../speaker-client.ts'
import { type CommandOptions, receiveCommands } from './connection.ts'

export interface SpeakerPageOptions extends Omit<SpeakerClientOptions, 'server'> {
  onConnected: CommandOptions['onConnected']
}

/**
 * Makes this page play the sounds of a loudspeaker.
 * @param path The path of the page of the loudspeaker.
 */
export function connectSpeaker(path: string, { onConnected, ...options }: SpeakerPageOptions) {
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
  receiveCommands(path, player, { onCommand: take, onConnected })
  return client
}
