import type { ServerResponse } from 'node:http'
import { afterRunningTime } from '../../runtime/wait.ts'
import type { Sound, SoundFormat } from '../../sounds/sound.ts'
import type { Driver, Played, PlayOptions } from '../driver.ts'
import type { SpeakerError } from '../speaker-error.ts'
import type { BrowserCommand, BrowserEvent } from './commands.ts'
import { Offer } from './sound-offer.ts'

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

const hiddenDelay = () => new Promise((resolve) => setTimeout(resolve, hiddenDelayMs))

/** Lets the browsers of one speaker play its sounds. */
export function createBrowsers(options: BrowsersOptions) {
  const { isForAll } = options
  const maxPlayers = isForAll ? maxPagePlayers : 1
  const offers = new Map<string, Offer>()
  /** Called when a browser begins to allow sound. */
  const listeners = new Set<() => void>()
  const whenSolved = (notify: () => void) => {
    listeners.add(notify)
    return () => void listeners.delete(notify)
  }
  const noPlayer = (isLocked: boolean) => Object.assign(options.noPlayer(isLocked), { whenSolved })

  return {
    async prepare(signal) {
      const offer = new Offer({ maxPlayers })
      const command = { type: 'probe', id: offer.id } as const
      const resultOf = () => probeResult(offer, noPlayer)
      return await ask({ offer, command, resultOf, signal }, offers, options)
    },
    /** @param softens whether the sound turns the other sounds of the browsers down. */
    async play(sound: Sound, playOptions: PlayOptions, softens = false): Promise<Played> {
      const { signal, onFirstSound } = playOptions
      const offer = new Offer({ maxPlayers, sound, onFirstSound })
      endWithSound(offer, sound)
      const command = commandToPlay(offer, sound, playOptions, softens)
      const resultOf = () => playResult(offer, { ...options, noPlayer })
      const ending = new AbortController()
      try {
        const asked = ask({ offer, command, resultOf, signal }, offers, options)
        void publishWords(sound, offer.id, options.publish, ending.signal)
        return await asked
      } finally {
        ending.abort()
      }
    },
    /** Handles the report of a browser. @returns whether the browser is to play the sound that it is ready for. */
    async report(id: string, player: string, event: BrowserEvent): Promise<boolean> {
      if (event === 'unlocked') for (const notify of listeners) notify()
      const offer = offers.get(id)
      if (!offer?.isFor(player)) return false
      options.onReport?.(player)
      if (event === 'hidden' && !isForAll) await hiddenDelay()
      return offer.take(player, event)
    },
    /** Sends the sound of an offer to a browser, while it grows. @returns false if there is no such offer. */
    sendAudio: (id: string, player: string, response: ServerResponse) =>
      offers.get(id)?.sendAudio(player, response) ?? false,
    /** A browser is gone. */
    leave(player: string) {
      for (const offer of offers.values()) offer.leave(player)
    },
    async close() {
      for (const offer of offers.values()) offer.fail(options.closed())
    },
  } satisfies Driver & Record<string, unknown>
}

/** An offer fails with its sound, and when no browser has reported its end in time. */
function endWithSound(offer: Offer, sound: Sound): void {
  sound.completed.then(
    () => offer.giveUpAfter((sound.durationSeconds ?? 0) * 1000 + marginMs),
    (error) => offer.fail(error),
  )
}

function commandToPlay(
  { id }: Offer,
  { format: { sampleRateHertz } }: Sound,
  { volume, text = '' }: PlayOptions,
  softens: boolean,
): BrowserCommand {
  return { type: 'offer', id, sampleRateHertz, volume, text, ...(softens && { softens }) }
}

/** Publishes the words of a sound as they are made. */
async function publishWords(
  sound: Sound,
  id: string,
  publish: BrowsersOptions['publish'],
  signal: AbortSignal,
): Promise<void> {
  for await (const words of sound.readWords(signal)) publish({ type: 'words', id, words })
}

export type Browsers = ReturnType<typeof createBrowsers>

interface Question<Result> {
  offer: Offer
  command: BrowserCommand
  /** Looks at the offer now, and after each change. */
  resultOf(): Result | undefined
  signal: AbortSignal
}

/** Publishes a command, and waits until the browsers that respond are done. */
async function ask<Result>(
  { offer, command, resultOf, signal }: Question<Result>,
  offers: Map<string, Offer>,
  options: BrowsersOptions,
): Promise<Result> {
  const { publish } = options
  const endLimit = limitResponse(offer, options)
  offers.set(offer.id, offer)
  try {
    signal.throwIfAborted()
    return await offer.result(publish(command), resultOf, signal)
  } catch (error) {
    publish({ type: 'stop', id: offer.id })
    throw error
  } finally {
    endLimit()
    offers.delete(offer.id)
    offer.close()
  }
}

/** Ends the time for responses, which Node-RED does not read while it is busy. @returns a function that ends the wait for that. */
function limitResponse(offer: Offer, { responseMs, isConnected }: BrowsersOptions): () => void {
  const end = () => offer.endResponse()
  let cancel = afterRunningTime(responseMs, () => {
    if (offer.hasResponse || !isConnected()) end()
    else cancel = afterRunningTime(patienceMs - responseMs, end)
  })
  return () => cancel()
}

/** @throws {SpeakerError} if no browser can play. */
function probeResult(
  { state, isLocked }: Offer,
  noPlayer: BrowsersOptions['noPlayer'],
): SoundFormat | undefined {
  if (state === 'no player') throw noPlayer(isLocked)
  return state && format
}

/** @throws {SpeakerError} if no browser has played the sound to its end. */
function playResult(
  { state, isResponseOver, isLocked }: Offer,
  { isForAll, noPlayer, notPlayed }: BrowsersOptions,
): Played | undefined {
  if (state === 'playing' || (isForAll && !isResponseOver)) return undefined
  if (state === 'gone') throw notPlayed()
  if (state === 'no player') throw noPlayer(isLocked)
  return state && { confirmedBy: 'player' }
}
