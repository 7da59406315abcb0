import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Sound, SoundFormat } from '../../sounds/sound.ts'
import type { Driver, PlayOptions } from '../driver.ts'
import { SpeakerError } from '../speaker-error.ts'
import type { BrowserCommand, BrowserEvent } from './commands.ts'

/** The browsers that play the sounds of one loudspeaker. */
export interface Browsers extends Driver {
  /** Handles the report of a browser. @returns whether the browser is to play the sound that it is ready for. */
  report(id: string, player: string, event: BrowserEvent): boolean
  /** Sends the sound of an offer to a browser, while it grows. @returns false if there is no such offer. */
  sendAudio(id: string, player: string, response: ServerResponse): boolean
  /** A browser is gone. */
  leave(player: string): void
}

export interface BrowsersOptions {
  /** Sends a command to all browsers. */
  publish(command: BrowserCommand): void
  /** Whether all browsers play each sound, or only the first that is ready. */
  isForAll: boolean
  /** The error when no browser can play. @param isLocked whether one is there, but nobody has clicked in it. */
  noPlayer(isLocked: boolean): SpeakerError
}

const format: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }

/** A browser in the local network responds much faster. */
const responseMs = 600
/** A browser needs some time to begin, and to report the end. */
const marginMs = 5_000
const maxPlayers = 200

interface Offer {
  sound: Sound | undefined
  isLocked: boolean
  players: Map<string, 'playing' | 'ended' | 'gone'>
  /** Called after each report. */
  changed(): void
  onStarted(): void
}

export function createBrowsers({ publish, isForAll, noPlayer }: BrowsersOptions): Browsers {
  const offers = new Map<string, Offer>()
  const closing = new AbortController()

  /**
   * Publishes a command, and waits until the browsers that respond are done.
   * @param isDone looks at what they reported, after each report and at the end of the time to respond.
   */
  const ask = async <Result>(
    offer: Pick<Offer, 'sound' | 'onStarted'>,
    command: (id: string) => BrowserCommand,
    isDone: (offer: Offer, isResponseOver: boolean) => Result | undefined,
    signal: AbortSignal,
  ): Promise<Result> => {
    const id = randomBytes(16).toString('base64url')
    const aborted = AbortSignal.any([signal, closing.signal])
    let timer: NodeJS.Timeout | undefined
    let onAbort = () => {}
    try {
      return await new Promise<Result>((resolve, reject) => {
        let isResponseOver = false
        const check = () => {
          try {
            const result = isDone(entry, isResponseOver)
            if (result !== undefined) resolve(result)
          } catch (error) {
            reject(error)
          }
        }
        const entry: Offer = { ...offer, isLocked: false, players: new Map(), changed: check }
        onAbort = () => reject(aborted.reason)
        aborted.addEventListener('abort', onAbort)
        if (aborted.aborted) return onAbort()
        offers.set(id, entry)
        timer = setTimeout(() => {
          isResponseOver = true
          check()
        }, responseMs)
        publish(command(id))
      })
    } catch (error) {
      publish({ type: 'stop', id })
      throw error
    } finally {
      clearTimeout(timer)
      aborted.removeEventListener('abort', onAbort)
      offers.delete(id)
    }
  }

  const play = async (sound: Sound, { signal, volume, text = '', onFirstSound }: PlayOptions) => {
    const limit = new AbortController()
    let timer: NodeJS.Timeout | undefined
    // A browser that was closed reports nothing.
    const startLimit = () => {
      const limitMs = (sound.durationSeconds ?? 0) * 1000 + marginMs
      const message = 'The browser did not report the end of the sound: it was probably closed'
      const error = new SpeakerError('SPEAKER_NOT_REACHABLE', message)
      timer = setTimeout(() => limit.abort(error), limitMs).unref()
    }
    sound.completed.then(startLimit, (error) => limit.abort(error))
    try {
      const { sampleRateHertz } = sound.format
      return await ask(
        { sound, onStarted: onFirstSound },
        (id) => ({ type: 'offer', id, sampleRateHertz, volume, text }),
        ({ players, isLocked }, isResponseOver) => {
          const states = [...players.values()]
          const isWaiting = states.includes('playing') || (isForAll && !isResponseOver)
          if (isWaiting || (states.length === 0 && !isResponseOver)) return undefined
          if (states.includes('ended')) return { confirmedBy: 'player' as const }
          if (states.length === 0) throw noPlayer(isLocked)
          throw new SpeakerError(
            'SPEAKER_NOT_REACHABLE',
            'The browser was closed, or could not play the sound to its end',
          )
        },
        AbortSignal.any([signal, limit.signal]),
      )
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async prepare(signal) {
      await ask(
        { sound: undefined, onStarted() {} },
        (id) => ({ type: 'probe', id }),
        ({ players, isLocked }, isResponseOver) => {
          if (players.size > 0) return true
          if (isResponseOver) throw noPlayer(isLocked)
          return undefined
        },
        signal,
      )
      return format
    },
    play,
    report(id, player, event) {
      const offer = offers.get(id)
      if (!offer) return false
      const { players } = offer
      if (event === 'ready') {
        const isWanted = isForAll ? players.size < maxPlayers : players.size === 0
        if (isWanted) players.set(player, 'playing')
        offer.changed()
        return isWanted && offer.sound !== undefined
      }
      if (event === 'locked') offer.isLocked = true
      else if (!players.has(player)) return false
      else if (event === 'started') offer.onStarted()
      else players.set(player, event === 'ended' ? 'ended' : 'gone')
      offer.changed()
      return false
    },
    sendAudio(id, player, response) {
      const offer = offers.get(id)
      if (!offer?.sound || !offer.players.has(player)) return false
      sendSound(offer.sound, response).catch(() => response.destroy())
      return true
    },
    leave(player) {
      for (const offer of offers.values()) {
        if (offer.players.get(player) !== 'playing') continue
        offer.players.set(player, 'gone')
        offer.changed()
      }
    },
    async close() {
      closing.abort(new SpeakerError('SPEAKER_NOT_REACHABLE', 'The loudspeaker was closed'))
    },
  }
}

async function sendSound(sound: Sound, response: ServerResponse): Promise<void> {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'no-store',
  })
  response.flushHeaders()
  for await (const chunk of sound.read(closed.signal)) {
    if (!response.write(chunk)) await once(response, 'drain', { signal: closed.signal })
  }
  response.end()
}
