import type { MicrophoneUse } from '../../speakers/browser/commands.ts'
import type { ReadingAction } from '../../speakers/display.ts'
import type { AlarmAction } from '../../speakers/driver.ts'
import {
  createPlayerId,
  createSpeakerClient,
  type SpeakerClientOptions,
} from '../speaker-client.ts'
import { BrowserMicrophone, type MicrophoneState } from './browser-microphone.ts'
import { type CommandOptions, receiveCommands } from './receive-commands.ts'

/** After this time without a response, the server has not received a button. */
const buttonMs = 5_000

export interface SpeakerPageOptions extends Omit<SpeakerClientOptions, 'server'> {
  onConnected: CommandOptions['onConnected']
  onAlarms?: CommandOptions['onAlarms']
  onQuestion: CommandOptions['onQuestion']
  onReading?: CommandOptions['onReading']
  onHeard: CommandOptions['onHeard']
  /** The uses for which the microphone of the page may be opened. */
  microphoneUses: readonly MicrophoneUse[]
  /** What it does for one of them. */
  onMicrophone(use: MicrophoneUse, state: MicrophoneState): void
}

/**
 * Makes this page play the sounds of a speaker.
 * @param path The path of the page of the speaker.
 */
export function connectSpeaker(
  path: string,
  {
    onConnected,
    onAlarms = () => {},
    onQuestion,
    onReading = () => {},
    onHeard,
    microphoneUses,
    onMicrophone,
    ...options
  }: SpeakerPageOptions,
) {
  const player = createPlayerId()
  const microphone = new BrowserMicrophone({
    send: (data) => connection.send(data),
    onState: onMicrophone,
  })
  const { take, ...client } = createSpeakerClient({
    ...options,
    server: serverOf(path, player),
  })
  const connection = receiveCommands(path, player, {
    onCommand: take,
    onAlarms,
    onQuestion,
    onReading,
    onHeard,
    onMicrophone(use, isOpen) {
      if (microphoneUses.includes(use)) microphone.take(use, isOpen)
    },
    onConnected(isConnected, problem) {
      if (!isConnected) microphone.closeAll()
      onConnected(isConnected, problem)
    },
  })
  /** Reports a button. @returns whether the server shows it. @throws if the server is away; the page then says that it has no connection. */
  const press = (name: string, values: Record<string, string>) => {
    const query = new URLSearchParams({ ...values, player })
    return postButton(`${path}/${name}?${query}`).catch((error) => {
      connection.lose()
      throw error
    })
  }
  return {
    ...client,
    /** Reports a button of an alarm. The server then sends the alarms that remain. */
    async control(id: string, action: AlarmAction) {
      if (await press(action, { id })) return
      throw new Error('The server does not show this alarm any more')
    },
    /** Reports a button of a text that is read aloud. The server then sends where the text is. */
    controlReading: (id: string, action: ReadingAction) => press('reading', { id, action }),
    /** Answers a question by a button. */
    answer: (id: string, index: number) => press('answer', { id, index: String(index) }),
  }
}

/** The server as a player of this page sees it. */
function serverOf(path: string, player: string): SpeakerClientOptions['server'] {
  return {
    async report(id, event) {
      const query = new URLSearchParams({ id, player, event })
      const response = await fetch(`${path}/report?${query}`, { method: 'POST', keepalive: true })
      return ((await response.json()) as { play: boolean }).play
    },
    fetchAudio: (id) => fetch(`${path}/audio?${new URLSearchParams({ id, player })}`),
  }
}

/** @returns whether the server shows the button. @throws if it does not respond in time, or something else responds in its place. */
async function postButton(url: string): Promise<boolean> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), buttonMs)
  try {
    const { ok, status } = await fetch(url, { method: 'POST', signal: ending.signal })
    // A proxy responds in place of Node-RED.
    if (status >= 500) throw new Error(`The server responded with ${status}`)
    return ok
  } finally {
    clearTimeout(timer)
  }
}
