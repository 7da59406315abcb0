import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Sound, SoundFormat } from '../../sounds/sound.ts'
import type { Driver, PlayOptions } from '../driver.ts'
import type { SpeakerError } from '../speaker-error.ts'
import type { BrowserCommand, BrowserEvent } from './commands.ts'
import { sendSound } from './send-sound.ts'

/** The browsers that play the sounds of one speaker. */
export interface Browsers extends Driver {
  /** Handles the report of a browser. @returns whether the browser is to play the sound that it is ready for. */
  report(id: string, player: string, event: BrowserEvent): Promise<boolean>
  /** Sends the sound of an offer to a browser, while it grows. @returns false if there is no such offer. */
  sendAudio(id: string, player: string, response: ServerResponse): boolean
  /** A browser is gone. */
  leave(player: string): void
}

export interface BrowsersOptions {
  /** Sends a command to all browsers. @returns those that receive it, if that is known: only their reports count then. */
  publish(command: BrowserCommand): ReadonlySet<string> | undefined
  /** Called when a browser that was asked has reported something. */
  onReport?(player: string): void
  /** Whether all browsers play each sound, or only the first that is ready. */
  isForAll: boolean
  /** How long browsers have to respond. It is over as soon as all have responded. */
  responseMs: number
  /** The error when no browser can play. @param isLocked whether one is there, but nobody has clicked in it. */
  noPlayer(isLocked: boolean): SpeakerError
  /** The error when no browser has played the sound to its end. */
  notPlayed(): SpeakerError
  /** The error of what is played when the speaker is closed. */
  closed(): SpeakerError
}

const format: SoundFormat = { audioEncoding: 'PCM', sampleRateHertz: 24_000 }

/** A visible tab comes first. Browsers slow the timers of hidden tabs down, so they wait here. */
const hiddenDelayMs = 100
/** A browser needs some time to begin, and to report the end. */
const marginMs = 5_000
const maxPlayers = 200

/** A probe, or a sound that browsers may play. */
interface Offer {
  sound: Sound | undefined
  /** Whether the time to respond is over. */
  isResponseOver: boolean
  /** The browsers that do not play, since nobody has clicked in them. */
  locked: Set<string>
  players: Map<string, 'playing' | 'ended' | 'gone'>
  /** The browsers that may respond; absent if nobody knows them. */
  asked?: ReadonlySet<string> | undefined
  /** The browsers that have requested the audio. */
  fetched: Set<string>
  onFirstSound(): void
  /** Called after each change. */
  changed(): void
  fail(error: unknown): void
  /** Aborted when the offer is over. */
  over: AbortController
}

export function createBrowsers(options: BrowsersOptions): Browsers {
  const {
    publish,
    onReport = () => {},
    isForAll,
    responseMs,
    noPlayer,
    notPlayed,
    closed,
  } = options
  const offers = new Map<string, Offer>()

  /**
   * Publishes a command, and waits until the browsers that respond are done.
   * @param isDone looks at what they reported, after each report and at the end of the time to respond.
   */
  const ask = async <Result>(
    offer: Offer,
    command: (id: string) => BrowserCommand,
    isDone: () => Result | undefined,
    signal: AbortSignal,
  ): Promise<Result> => {
    const id = randomBytes(16).toString('base64url')
    let timer: NodeJS.Timeout | undefined
    let onAbort = () => {}
    try {
      signal.throwIfAborted()
      return await new Promise<Result>((resolve, reject) => {
        offer.changed = () => {
          try {
            const result = isDone()
            if (result !== undefined) resolve(result)
          } catch (error) {
            reject(error)
          }
        }
        offer.fail = reject
        onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort)
        offers.set(id, offer)
        const endResponse = () => {
          offer.isResponseOver = true
          offer.changed()
        }
        timer = setTimeout(endResponse, responseMs)
        offer.asked = publish(command(id))
        if (offer.asked?.size === 0) endResponse()
      })
    } catch (error) {
      publish({ type: 'stop', id })
      throw error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      offers.delete(id)
      offer.over.abort()
    }
  }

  const prepare = async (signal: AbortSignal) => {
    const offer = createOffer()
    const isDone = () => {
      if (offer.players.size > 0) return format
      if (offer.isResponseOver) throw noPlayer(offer.locked.size > 0)
      return undefined
    }
    return await ask(offer, (id) => ({ type: 'probe', id }), isDone, signal)
  }

  const play = async (sound: Sound, { signal, volume, text = '', onFirstSound }: PlayOptions) => {
    const offer = createOffer(sound, onFirstSound)
    const { players } = offer
    const isDone = () => {
      const states = [...players.values()]
      if (states.includes('playing') || (isForAll && !offer.isResponseOver)) return undefined
      if (states.includes('ended')) return { confirmedBy: 'player' as const }
      if (states.length > 0) throw notPlayed()
      if (offer.isResponseOver) throw noPlayer(offer.locked.size > 0)
      return undefined
    }
    // Browsers that were switched off report nothing.
    let limit: NodeJS.Timeout | undefined
    const giveUp = () => {
      for (const player of players.keys()) leaveOffer(offer, player)
    }
    const startLimit = () => {
      if (offer.over.signal.aborted) return
      limit = setTimeout(giveUp, (sound.durationSeconds ?? 0) * 1000 + marginMs)
    }
    sound.completed.then(startLimit, (error) => offer.fail(error))
    const { sampleRateHertz } = sound.format
    const command = (id: string) => ({ type: 'offer', id, sampleRateHertz, volume, text }) as const
    try {
      return await ask(offer, command, isDone, signal)
    } finally {
      clearTimeout(limit)
    }
  }

  const claim = (offer: Offer, player: string): boolean => {
    const { players } = offer
    if (offer.isResponseOver || offer.over.signal.aborted || players.has(player)) return false
    if (players.size >= (isForAll ? maxPlayers : 1)) return false
    players.set(player, 'playing')
    offer.locked.delete(player)
    responded(offer)
    return offer.sound !== undefined
  }

  return {
    prepare,
    play,
    async report(id, player, event) {
      const offer = offers.get(id)
      if (!offer || offer.asked?.has(player) === false) return false
      onReport(player)
      if (event === 'hidden' && !isForAll) await delay(hiddenDelayMs)
      if (event === 'hidden' || event === 'ready') return claim(offer, player)
      if (event === 'locked' && !offer.players.has(player) && offer.locked.size < maxPlayers) {
        offer.locked.add(player)
        responded(offer)
      }
      if (offer.players.get(player) !== 'playing') return false
      if (event === 'started') {
        offer.onFirstSound()
        offer.onFirstSound = () => {}
      } else if (event === 'failed') leaveOffer(offer, player)
      else if (event === 'ended') {
        offer.players.set(player, 'ended')
        offer.changed()
      }
      return false
    },
    sendAudio(id, player, response) {
      const offer = offers.get(id)
      if (!offer?.sound || offer.players.get(player) !== 'playing') return false
      if (offer.fetched.has(player)) return false
      offer.fetched.add(player)
      sendSound(offer.sound, response, offer.over.signal).catch(() => {
        response.destroy()
        leaveOffer(offer, player)
      })
      return true
    },
    leave(player) {
      for (const offer of offers.values()) leaveOffer(offer, player)
    },
    async close() {
      for (const offer of offers.values()) offer.fail(closed())
    },
  }
}

function createOffer(sound?: Sound, onFirstSound = () => {}): Offer {
  return {
    sound,
    isResponseOver: false,
    players: new Map(),
    locked: new Set(),
    fetched: new Set(),
    onFirstSound,
    changed() {},
    fail() {},
    over: new AbortController(),
  }
}

/** Ends the time to respond when all browsers have responded. */
function responded(offer: Offer): void {
  const responses = offer.players.size + offer.locked.size
  if (offer.asked && responses >= offer.asked.size) offer.isResponseOver = true
  offer.changed()
}

function leaveOffer(offer: Offer, player: string): void {
  if (offer.players.get(player) !== 'playing') return
  offer.players.set(player, 'gone')
  offer.changed()
}
