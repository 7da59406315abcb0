import type { Texts } from '../../../runtime/texts.ts'
import {
  abortableDelay,
  rejectionOf,
  unlessAborted,
  withinRunningTime,
} from '../../../runtime/wait.ts'
import type { Sound } from '../../../sounds/sound.ts'
import {
  isPlayerNode,
  needsDuration,
  type PlayerNode,
  playerNodes,
  playMessage,
  setsVolume,
  stopMessage,
} from '../../../sounds/to-play/player-messages.ts'
import {
  isResponseForm,
  type PublishedSound,
  type ResponseForm,
  responseForms,
} from '../../../sounds/to-play/sound-store.ts'
import { deviceFormat } from '../../device-drivers/device-sound.ts'
import { untilSent } from '../../device-drivers/fetch-progress.ts'
import type { Driver, Played, PlayOptions } from '../../driver.ts'
import { fetchWithinMs, notFetched, speakerClosed } from '../../speaker-error.ts'
import type { DriverContext, SpeakerKind } from '../../speaker-kind.ts'

/** A player that collects a part of a growing sound before it begins needs up to 3.8 s of it (measured). */
const maxStartMs = 4_000
/** From the last byte to the last sample, a player needs some time more than the sound lasts. */
const marginMs = 1_000
/** sonos-plus waits up to 2 s longer than the sound lasts, and restores what was playing before. Until then, it must not get another sound. */
const restoreMs = 4_000

/** The sounds that are being played, by their addresses. Each ends when a message says that it was played. */
const handedOut = new Map<string, () => void>()

function notePlayed(url: unknown): void {
  const [oldest] = handedOut.values()
  const end = typeof url === 'string' ? handedOut.get(url) : oldest
  end?.()
}

export const anotherNodeSpeaker: SpeakerKind = {
  create: createAnotherNodeDriver,
  settings: [
    { name: 'player', default: 'plain', options: playerNodes },
    { name: 'address', type: 'address' },
    { name: 'response', default: 'adaptive', options: responseForms },
  ],
  hasNote: true,
  handsOut: true,
  notePlayed,
}

export interface AnotherNodeOptions extends Pick<DriverContext, 'sounds' | 'config'> {
  RED: Texts
  /** How long a player may take until it fetches an address. Default: 5 s. */
  fetchLimitMs?: number
}

/** Hands the address of each sound to the nodes of a flow, whose player fetches it. */
export function createAnotherNodeDriver(options: AnotherNodeOptions): Driver {
  const { RED, sounds, config } = options
  const player = isPlayerNode(config['player']) ? config['player'] : 'plain'
  const response = isResponseForm(config['response']) ? config['response'] : 'adaptive'
  const address = String(config['address'] ?? '')
  const closing = new AbortController()
  return {
    prepare: async () => deviceFormat,
    async play(sound, { volume, handOut, onFirstSound, signal: stopped }) {
      const over = new AbortController()
      const signal = AbortSignal.any([stopped, closing.signal, over.signal])
      signal.throwIfAborted()
      if (needsDuration(player)) await unlessAborted(sound.completed, signal)
      const published = sounds.publish(sound, { response, address })
      const { url } = published
      const played = new Promise<Played>((resolve) => {
        handedOut.set(url, () => resolve({ confirmedBy: 'player' }))
      })
      try {
        handOut({ ...playMessage(player, url, sound), ...(!setsVolume(player) && { volume }) })
        const wait = { ...options, player, response, signal, onFirstSound }
        const timed = untilOver(sound, published, wait)
        return await Promise.race([played, timed, rejectionOf(sound.completed)])
      } catch (error) {
        // The player has received a part of the sound, or all.
        if (signal.aborted) handOut(stopMessage(player, url))
        throw error
      } finally {
        over.abort()
        handedOut.delete(url)
        published.remove()
      }
    },
    async close() {
      closing.abort(speakerClosed(RED))
    },
  }
}

interface Wait extends Pick<PlayOptions, 'signal' | 'onFirstSound'> {
  RED: Texts
  player: PlayerNode
  response: ResponseForm
  fetchLimitMs?: number
}

/** Waits as long as a player needs to fetch and to play the sound. */
async function untilOver(
  sound: Sound,
  { fetched, sent, warning }: PublishedSound,
  { RED, player, response, fetchLimitMs = fetchWithinMs, signal, onFirstSound }: Wait,
): Promise<Played> {
  // The player may be a node of this Node-RED, which is slow when its machine is busy.
  await withinRunningTime(fetchLimitMs, unlessAborted(fetched, signal), () =>
    notFetched(RED, warning),
  )
  const fetchedAt = performance.now()
  onFirstSound()
  await unlessAborted(sound.completed, signal)
  const durationMs = (sound.durationSeconds ?? 0) * 1000
  await untilSent(RED, sound, sent, signal)
  const sentAt = performance.now()
  const startedAt = response === 'file' ? sentAt : Math.min(sentAt, fetchedAt + maxStartMs)
  const afterMs = player === 'sonos-plus' ? restoreMs : marginMs
  const endsAt = Math.max(startedAt + durationMs, sentAt) + afterMs
  await abortableDelay(endsAt - performance.now(), signal)
  return { confirmedBy: 'duration' }
}
