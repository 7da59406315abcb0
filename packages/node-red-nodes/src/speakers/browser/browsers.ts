import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { SoundFormat } from '../../sounds/sound.ts'
import type { Driver } from '../driver.ts'
import type { SpeakerError } from '../speaker-error.ts'
import type { BrowserCommand, BrowserEvent } from './commands.ts'
import { Offer } from './offer.ts'

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
  /** Whether browsers are connected, although none of them may be able to play. */
  isConnected(): boolean
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
/** A browser of a busy machine needs some time to begin, and to report the end. */
const marginMs = 15_000
/** How long browsers have if they are connected, but none has responded: a busy machine takes a while. */
const patienceMs = 5_000
const maxPagePlayers = 200

export function createBrowsers(options: BrowsersOptions): Browsers {
  const { publish, isForAll, responseMs, notPlayed } = options
  const maxPlayers = isForAll ? maxPagePlayers : 1
  const offers = new Map<string, Offer>()
  /** Called when a browser begins to allow sound. */
  const listeners = new Set<() => void>()
  const noPlayer = ({ isLocked }: Offer) =>
    Object.assign(options.noPlayer(isLocked), {
      whenSolved(notify: () => void) {
        listeners.add(notify)
        return () => void listeners.delete(notify)
      },
    })

  /** Publishes a command, and waits until the browsers that respond are done. */
  const ask = async <Result>(
    offer: Offer,
    command: BrowserCommand,
    resultOf: () => Result | undefined,
    signal: AbortSignal,
  ): Promise<Result> => {
    let timer = setTimeout(() => {
      if (offer.hasResponse || !options.isConnected()) offer.endResponse()
      else timer = setTimeout(() => offer.endResponse(), patienceMs - responseMs)
    }, responseMs)
    offers.set(offer.id, offer)
    try {
      signal.throwIfAborted()
      return await offer.result(publish(command), resultOf, signal)
    } catch (error) {
      publish({ type: 'stop', id: offer.id })
      throw error
    } finally {
      clearTimeout(timer)
      offers.delete(offer.id)
      offer.close()
    }
  }

  return {
    async prepare(signal) {
      const offer = new Offer({ maxPlayers })
      const resultOf = () => {
        if (offer.state === 'no player') throw noPlayer(offer)
        return offer.state && format
      }
      return await ask(offer, { type: 'probe', id: offer.id }, resultOf, signal)
    },
    async play(sound, { signal, volume, text = '', onFirstSound }) {
      const offer = new Offer({ maxPlayers, sound, onFirstSound })
      const resultOf = () => {
        const { state, isResponseOver } = offer
        if (state === 'playing' || (isForAll && !isResponseOver)) return undefined
        if (state === 'gone') throw notPlayed()
        if (state === 'no player') throw noPlayer(offer)
        return state && { confirmedBy: 'player' as const }
      }
      sound.completed.then(
        () => offer.giveUpAfter((sound.durationSeconds ?? 0) * 1000 + marginMs),
        (error) => offer.fail(error),
      )
      const { sampleRateHertz } = sound.format
      const command = { type: 'offer', id: offer.id, sampleRateHertz, volume, text } as const
      return await ask(offer, command, resultOf, signal)
    },
    async report(id, player, event) {
      if (event === 'unlocked') for (const notify of listeners) notify()
      const offer = offers.get(id)
      if (!offer?.isFor(player)) return false
      options.onReport?.(player)
      if (event === 'hidden' && !isForAll) await delay(hiddenDelayMs)
      return offer.take(player, event)
    },
    sendAudio: (id, player, response) => offers.get(id)?.sendAudio(player, response) ?? false,
    leave(player) {
      for (const offer of offers.values()) offer.leave(player)
    },
    async close() {
      for (const offer of offers.values()) offer.fail(options.closed())
    },
  }
}
