import { type BusyError, tooBusy } from '../../errors/service-error.ts'
import { afterWork, type Demand, keepsRealTime } from './real-time.ts'

/** A text that somebody wants to hear. */
export interface WantedSpeech {
  /** Who wants it: callers share an engine. */
  caller: string
  /** The engine's own name for the voice. */
  voice: string
  /** UTF-16 code units. */
  characters: number
  /** When its listener runs out of audio. */
  clock: PlaybackClock
  /** Whether it continues what the listener hears, which is never rejected. */
  isContinued?: boolean
}

/** A text that the service has taken on. */
export interface AdmittedSpeech {
  /** Adds what has been spoken, and how long the engine has taken for it. */
  noteSpoken(phrase: SpokenPhrase): void
  /** Call it when nobody waits for the speech any more. */
  end(): void
}

interface SpokenPhrase {
  characters: number
  workMs: number
  playMs: number
}

/** What a voice has spoken on this machine lately: sums of phrases, of which the last ones count most. */
interface Pace {
  /** See {@link sizeOf}. */
  size: number
  workMs: number
  playMs: number
}

/** Of a long text. */
const charactersOfPhrase = 50
/** A phrase takes and plays as long as this many characters more than it has. Measured: 10 to 24, with both kinds of voices. */
const charactersOfStart = 10
/** The pace of a voice that has not spoken yet: three times as much work as that of the natural voice of the library. */
const unknownPace: Pace = { size: sizeOf(charactersOfPhrase), workMs: 300, playMs: 3250 }
/** What is left of a sum after the next phrase of a long text. Greetings make it forget less. */
const paceDecay = 0.8

/** A listener may have to wait this long for the first sound. */
const maxStartMs = 2_000
/** The rest is for what was not foreseen: in a crowd, a phrase takes longer than those before. Measured: 1.3 to 1.5 times. */
const usableShare = 0.7
/** What a caller may take if there are others, who do not want more at present: they get the rest in any case. */
const maxShareOfCaller = 0.75
/** This many texts, and the first text of this many callers, are taken on in any case: what was measured lately may be wrong. */
const minAtOnce = 4
/** How long a caller counts as another one. */
const seenMs = 60_000
/** How long a rejected caller counts as one who wants a share. */
const rejectedMs = 5_000
const maxRetryAfterSeconds = 600
/** A caller that comes back later than this after the time that the response named is a new one. */
const promiseMs = 1_000
const maxRemembered = 250

interface CallerDemand extends Demand {
  caller: string
}

interface Admitted {
  wanted: WantedSpeech
  arrivedAtMs: number
  spokenCharacters: number
}

/** When a rejected caller was told to come back, and with what. */
interface Promised {
  atMs: number
  demand: CallerDemand
}

/**
 * What an engine has to speak, and whether it can keep real time if it takes on more. It judges by the pace of each voice, as measured
 * on this machine under its present load.
 */
export class SpeechLoad {
  readonly #slots: number
  readonly #now: () => number
  readonly #paces = new Map<string, Pace>()
  readonly #admitted = new Set<Admitted>()
  #promised: Promised[] = []
  #rejected = 0
  #phraseMs = 0
  /** When each caller last wanted something, and was last rejected. */
  readonly #seenAtMs = new Map<string, number>()
  readonly #rejectedAtMs = new Map<string, number>()

  /** @param now Milliseconds of the clock. Default: `performance.now`. */
  constructor(slots: number, now = () => performance.now()) {
    this.#slots = slots
    this.#now = now
  }

  /** How many texts are being spoken. */
  get admitted(): number {
    return this.#admitted.size
  }

  /** How long the engine takes for a phrase of a long text, in the voice that has spoken last. 0 before it has spoken. */
  get phraseMs(): number {
    return this.#phraseMs
  }

  /** How many texts were rejected since the start. */
  get rejected(): number {
    return this.#rejected
  }

  /** @throws {BusyError} if the speech of this caller or another one would have gaps; it says when that will be over. */
  admit(wanted: WantedSpeech): AdmittedSpeech {
    this.#forgetPast(wanted.caller)
    if (this.#seenAtMs.size < maxRemembered) this.#seenAtMs.set(wanted.caller, this.#now())
    const admitted: Admitted = { wanted, arrivedAtMs: this.#now(), spokenCharacters: 0 }
    const demand = this.#demandOf(admitted)
    if (!wanted.isContinued && !this.#fits(demand, this.#running())) throw this.#reject(demand)
    this.#admitted.add(admitted)
    return {
      noteSpoken: (phrase) => {
        admitted.spokenCharacters += phrase.characters
        this.#measure(wanted.voice, phrase)
      },
      end: () => void this.#admitted.delete(admitted),
    }
  }

  #reject(demand: CallerDemand): BusyError {
    this.#rejected += 1
    const retryAfterSeconds = this.#findRetry(demand)
    const now = this.#now()
    if (this.#rejectedAtMs.size < maxRemembered) this.#rejectedAtMs.set(demand.caller, now)
    if (this.#promised.length < maxRemembered) {
      this.#promised.push({ demand, atMs: now + retryAfterSeconds * 1000 })
    }
    const reason = `${this.#admitted.size} texts are being spoken, and one more would make gaps`
    return tooBusy(reason, retryAfterSeconds)
  }

  /** The first whole second at which the text will fit, after those that were rejected before. */
  #findRetry(demand: CallerDemand): number {
    const now = this.#now()
    const latestMs = Math.max(0, ...this.#promised.map(({ atMs }) => atMs - now))
    const promised = this.#promised.map(({ atMs, demand: later }) => {
      return { ...later, leadMs: Math.max(0, atMs - now) + maxStartMs }
    })
    const expected = [...this.#running(), ...promised]
    const fitsAfter = (seconds: number) =>
      this.#fits(demand, afterWork(expected, this.#capacity, seconds * 1000))
    // Each try costs a millisecond, and hundreds may be rejected at once: nobody comes before those who were told earlier.
    let seconds = Math.max(1, Math.floor(latestMs / 1000))
    while (seconds < maxRetryAfterSeconds && !fitsAfter(seconds)) seconds += 1
    return Math.min(seconds, maxRetryAfterSeconds)
  }

  /** Whether a further text makes no gaps, and its caller takes no more than a share. */
  #fits(further: CallerDemand, running: readonly CallerDemand[]): boolean {
    if (running.length < minAtOnce) return true
    const all = [...running, further]
    const own = all.filter(({ caller }) => caller === further.caller)
    const callers = new Set(all.map(({ caller }) => caller))
    if (own.length === 1 && callers.size <= minAtOnce) return true
    const { sure, most } = this.#sharesOf(further.caller, running)
    if (keepsRealTime(own, this.#capacity * sure)) return true
    return keepsRealTime(all, this.#capacity) && keepsRealTime(own, this.#capacity * most)
  }

  get #capacity(): number {
    return this.#slots * usableShare
  }

  /** What a caller gets in any case, and what it gets if it is free. */
  #sharesOf(caller: string, running: readonly CallerDemand[]): { sure: number; most: number } {
    const rejected = [...this.#rejectedAtMs.keys()]
    const wanting = new Set([caller, ...rejected, ...running.map((one) => one.caller)])
    const sure = (1 - maxShareOfCaller) / Math.max(1, wanting.size - 1)
    const isOther = (other: string) => other !== caller
    const most = [...this.#seenAtMs.keys()].some(isOther) ? maxShareOfCaller : 1
    return { sure, most: rejected.some(isOther) ? 1 / wanting.size : most }
  }

  #running(): CallerDemand[] {
    return Array.from(this.#admitted, (admitted) => this.#demandOf(admitted))
  }

  #demandOf({ wanted, arrivedAtMs, spokenCharacters }: Admitted): CallerDemand {
    const { caller, characters, clock, voice } = wanted
    const pace = this.#paces.get(voice) ?? unknownPace
    const left = Math.max(0, characters - spokenCharacters)
    const { lastsUntilMs } = clock
    const neededAtMs = Number.isFinite(lastsUntilMs) ? lastsUntilMs : arrivedAtMs + maxStartMs
    return {
      caller,
      leadMs: Math.max(0, neededAtMs - this.#now()),
      workMs: workMsOf(left, pace),
      phraseMs: workMsOf(Math.min(left, charactersOfPhrase), pace),
      playMs: sizeOf(left) * (pace.playMs / pace.size),
    }
  }

  /** Sums, because a long phrase tells more about the pace than a short one. */
  #measure(voice: string, { characters, workMs, playMs }: SpokenPhrase): void {
    if (characters === 0 || playMs === 0) return
    const former = this.#paces.get(voice)
    // The first phrase may have loaded the voice.
    if (!former) return void this.#paces.set(voice, unknownPace)
    const size = sizeOf(characters)
    const decay = former === unknownPace ? 0 : paceDecay ** (size / unknownPace.size)
    const pace = {
      size: former.size * decay + size,
      workMs: former.workMs * decay + workMs,
      playMs: former.playMs * decay + playMs,
    }
    this.#paces.set(voice, pace)
    this.#phraseMs = workMsOf(charactersOfPhrase, pace)
  }

  /** @param caller who is back. */
  #forgetPast(caller: string): void {
    const now = this.#now()
    const isBack = this.#promised.findIndex(
      ({ atMs, demand }) => demand.caller === caller && atMs <= now,
    )
    if (isBack >= 0) this.#promised.splice(isBack, 1)
    this.#promised = this.#promised.filter(({ atMs }) => atMs + promiseMs > now)
    for (const [times, forMs] of [
      [this.#rejectedAtMs, rejectedMs],
      [this.#seenAtMs, seenMs],
    ] as const) {
      for (const [other, atMs] of times) if (atMs + forMs < now) times.delete(other)
    }
  }
}

/**
 * How much a text takes, as a number of characters: a greeting of three letters says as much about a long text as a phrase of it.
 */
function sizeOf(characters: number): number {
  return characters + Math.ceil(characters / charactersOfPhrase) * charactersOfStart
}

/** How long the engine takes for a text at a pace. */
function workMsOf(characters: number, { size, workMs }: Pace): number {
  return sizeOf(characters) * (workMs / size)
}

/** Estimates when a listener who plays the audio as soon as it is generated runs out of audio. */
export interface PlaybackClock {
  /** Adds the duration of audio that has just been generated. */
  add(seconds: number): void
  /** In milliseconds of `performance.now()`. `Infinity` before the first sound: nobody is playing yet. */
  readonly lastsUntilMs: number
}

export function createPlaybackClock(): PlaybackClock {
  let lastsUntilMs = Number.POSITIVE_INFINITY
  return {
    add(seconds) {
      const now = performance.now()
      // A listener who ran out of audio goes on now.
      const startMs = Number.isFinite(lastsUntilMs) ? Math.max(now, lastsUntilMs) : now
      lastsUntilMs = startMs + seconds * 1000
    },
    get lastsUntilMs() {
      return lastsUntilMs
    },
  }
}
