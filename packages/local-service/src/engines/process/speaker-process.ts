import { createMutex } from '../../concurrency/slots.ts'
import { EngineError } from '../../errors/engine-error.ts'
import {
  type ProgramOptions,
  type ProgramWork,
  RestartingProgram,
} from '../../processes/restarting-program.ts'
import type { PhraseSound } from '../engine.ts'
import type { FromSpeaker, PhraseCost, ToSpeaker } from './run-speaker.ts'

export interface SpeakerProcessOptions extends ProgramOptions {
  /** Maximum time for a phrase, in milliseconds. */
  phraseLimitMs: number
}

/** A program that was started to be tried out. */
export interface Trial<Info, Phrase> {
  info: Info
  /** @throws {EngineError} if it rejects the phrase or ends while it speaks. */
  speak(phrase: Phrase, onSound: (sound: PhraseSound) => void): Promise<PhraseCost>
  end(): void
}

type SpeakerWork<Phrase> = ProgramWork<ToSpeaker<Phrase>, FromSpeaker>

/** A program that speaks in its own process, one phrase at a time. It starts with the first phrase, and again after it has exited. */
export class SpeakerProcess<Info, Phrase> {
  readonly #options: SpeakerProcessOptions
  readonly #program: RestartingProgram<Info, ToSpeaker<Phrase>, FromSpeaker>
  readonly #exclusive = createMutex()

  constructor(options: SpeakerProcessOptions) {
    this.#options = options
    this.#program = new RestartingProgram({
      ...options,
      alternative: 'another voice',
      toEnd: (reason) => ({ type: 'lost', reason }),
      describeEnd: () => `${options.name} failed during a phrase: its process ended`,
    })
  }

  /** Whether the process runs, and takes memory. */
  get isAlive(): boolean {
    return this.#program.isAlive
  }

  /**
   * Starts the program to ask for its information, and ends it.
   * @param tryOut uses the program before it ends.
   * @throws {Error} if it does not start, and the error of `tryOut`.
   */
  readInfo(tryOut?: (trial: Trial<Info, Phrase>) => Promise<unknown>): Promise<Info> {
    return this.#program.readInfo(async (work, info) =>
      tryOut?.({
        info,
        speak: (phrase, onSound) => this.#send(work, phrase, onSound),
        end: () => work.endProcess('it took too long'),
      }),
    )
  }

  /**
   * Speaks a phrase when its turn comes.
   * @throws {EngineError} if the program does not start or fails; the next phrase can be spoken anyway. The signal's
   * reason after an abort.
   */
  speak(
    phrase: Phrase,
    signal: AbortSignal,
    onSound: (sound: PhraseSound) => void,
  ): Promise<PhraseCost> {
    return this.#exclusive(() => this.#speak(phrase, signal, onSound))
  }

  /** Starts the process, unless it runs. @throws {EngineError} as `speak`. */
  load(): Promise<void> {
    return this.#exclusive(async () => (await this.#program.begin()).release())
  }

  /** Ends the process after the running phrase. It starts again with the next one. */
  unload(): Promise<void> {
    return this.#exclusive(() => this.#program.end())
  }

  close(): Promise<void> {
    return this.#program.close()
  }

  async #speak(
    phrase: Phrase,
    signal: AbortSignal,
    onSound: (sound: PhraseSound) => void,
  ): Promise<PhraseCost> {
    signal.throwIfAborted()
    const onWantedSound = (sound: PhraseSound) => {
      if (!signal.aborted) onSound(sound)
    }
    return this.#program
      .run(signal, { type: 'cancel' }, (work) => this.#speakInTime(work, phrase, onWantedSound))
      .finally(() => signal.throwIfAborted())
  }

  /** Ends the process if the phrase takes too long. The start of the process does not count, since it has its own limit. */
  async #speakInTime(
    work: SpeakerWork<Phrase>,
    phrase: Phrase,
    onSound: (sound: PhraseSound) => void,
  ): Promise<PhraseCost> {
    const { name, phraseLimitMs, warn } = this.#options
    const limit = setTimeout(() => {
      const reason = `it took longer than ${phraseLimitMs / 1000} s`
      warn(`${name} failed during a phrase: ${reason}`)
      work.onReport({ type: 'late', reason })
      work.endProcess(reason)
    }, phraseLimitMs)
    return this.#send(work, phrase, onSound).finally(() => clearTimeout(limit))
  }

  /** @throws {EngineError} if the program fails. */
  #send(
    work: SpeakerWork<Phrase>,
    phrase: Phrase,
    onSound: (sound: PhraseSound) => void,
  ): Promise<PhraseCost> {
    return new Promise((resolve, reject) => {
      work.onReport = (report) => {
        if (report.type === 'sound') onSound(report.sound)
        else if (report.type === 'end') resolve(report)
        else reject(toEngineError(this.#options.name, report))
      }
      work.send({ type: 'speak', phrase })
    })
  }
}

function toEngineError(
  name: string,
  { type, reason }: Extract<FromSpeaker, { reason: string }>,
): EngineError {
  if (type === 'failed') {
    return new EngineError('input', `${name} cannot speak the phrase: ${reason}`)
  }
  const kind = type === 'late' ? 'timeout' : 'unavailable'
  return new EngineError(kind, `${name} could not speak: ${reason}. Try again`)
}
