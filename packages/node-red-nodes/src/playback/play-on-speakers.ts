import { toFailure } from '../runtime/failure.ts'
import type { Texts } from '../runtime/texts.ts'
import { maxTimeoutMs, readyTogether, unlessAborted, withinTime } from '../runtime/wait.ts'
import { type Sound, type SoundFormat, withText } from '../sounds/sound.ts'
import type { Played } from '../speakers/driver.ts'
import type { Speaker } from '../speakers/speaker.ts'
import { SpeakerError } from '../speakers/speaker-error.ts'
import type { ChimeName } from './chime.ts'
import { composeSound } from './compose-sound.ts'
import type { AddressOutput } from './sound-address-output.ts'

/** A speaker may have to wake up. */
const maxPrepareMs = 20_000
/** The others begin without a speaker that says this much later than the first one that it can play. */
const maxLateMs = 2_000
/** A slow speaker ends this much later than the sound, and may pause for this long in the middle. */
const maxStallMs = 60_000
/** After an abort, a driver that does not return is abandoned: other announcements wait. */
const maxAbortMs = 2000

/** A text or a sound that speakers can play. */
export interface Playable {
  /** Displays show it, and an announcement that was just made is recognised by it. */
  text: string
  /** Played before the text; absent: none. */
  chime?: ChimeName | undefined
  /** It is the sound of a play node, such as music. Some speakers play announcements over it. */
  isMusic?: true
  /** Makes the sound. Called once for each sound that the speakers need, when they are free. */
  makeSound(wanted: WantedSound, signal: AbortSignal): Sound
  /** The output for speakers whose sounds another node plays. */
  addressOutput: AddressOutput
}

/** What a speaker needs. */
export interface WantedSound {
  format: SoundFormat
  /** Voice and language of the speaker; empty: those of the node. */
  voice: string
  language: string
  /** Whether a speaker shows the words while they are said. */
  withWords?: true
}

/** A speaker that may play now, and how loud. */
export interface Target {
  speaker: Speaker
  volume: number
}

/** What became of a text or a sound on one speaker. */
export interface SpeakerReport {
  name: string
  status: 'said' | 'failed'
  startedAt?: string
  finishedAt?: string
  confirmedBy?: Played['confirmedBy']
  /** Why one of the devices of the speaker has not played it. */
  warning?: string
  /** A failure on one speaker while another one played. */
  error?: { code: string; message: string }
}

/** What became of a sound on one speaker. */
export interface SpeakerResult {
  speaker: Speaker
  report: SpeakerReport
  /** Why it was not heard there. */
  failure?: {
    error: unknown
    /** The speaker could not play it. Otherwise the sound was not made, which no other speaker can play either. */
    isOfSpeaker: boolean
  }
}

export interface PlayOnSpeakersOptions {
  /** The texts of the speaker node. */
  RED: Texts
  signal: AbortSignal
  /** Called when the first speaker is heard. */
  onFirstSound(): void
  /** Called when a speaker is heard. @returns a function to call at the end of its sound. */
  onHeard(speaker: Speaker, sound: Sound): () => void
}

/**
 * Plays a text or a sound once, on all speakers together.
 * @returns what became of it on each of them, which may all have failed.
 * @throws the reason of the signal after an abort.
 */
export async function playOnSpeakers(
  playable: Playable,
  targets: readonly Target[],
  { RED, signal, onFirstSound, onHeard }: PlayOnSpeakersOptions,
): Promise<{ results: SpeakerResult[]; durationSeconds: number | undefined }> {
  const formats = targets.map(async ({ speaker: { name, driver, handsOut } }) => {
    if (handsOut) playable.addressOutput.check(name)
    const problem = () => RED._('speaker.error.no-response', { name })
    return limited(signal, until(performance.now() + maxPrepareMs), problem, (limit) =>
      driver.prepare(limit),
    )
  })
  await readyTogether(formats, maxLateMs)
  signal.throwIfAborted()

  const making = new AbortController()
  let isHeard = false
  const noteSound = () => {
    if (!isHeard) onFirstSound()
    isHeard = true
  }
  const sounds = createSounds(playable, targets, making.signal)
  const results = await Promise.all(
    targets.map(async (target, index) => {
      let sound: Sound | undefined
      try {
        sound = sounds.make(target, await formats[index]!)
        const options = { RED, signal, onFirstSound: noteSound, onHeard }
        return await playOn(playable, target, sound, options)
      } catch (error) {
        const soundError = sound && (await errorOf(sound))
        return failedResult(RED, target, soundError ?? error, soundError === undefined)
      }
    }),
  ).finally(() => making.abort())
  signal.throwIfAborted()
  return { results, durationSeconds: sounds.durationSeconds() }
}

function failedResult(
  RED: Texts,
  { speaker }: Target,
  reason: unknown,
  isOfSpeaker: boolean,
): SpeakerResult {
  const error = withText(RED, reason)
  const known = toFailure(error)
  const report: SpeakerReport = {
    name: speaker.name,
    status: 'failed',
    error: { code: known.code, message: known.toString() },
  }
  return { speaker, report, failure: { error, isOfSpeaker } }
}

/** The error of a sound that could not be made, if that is known. It says more than the error of the player. */
function errorOf(sound: Sound): Promise<unknown> {
  const none = () => undefined
  return Promise.race([sound.completed, undefined]).then(none, (error) => error)
}

/** Speakers with the same format, voice and language share one speech; those with the same silence, one sound. */
function createSounds(playable: Playable, targets: readonly Target[], signal: AbortSignal) {
  // This counts for all speakers, so that they share one speech.
  const withWords = targets.some(({ speaker }) => speaker.driver.showsWords === true)
  const speeches = new Map<string, Sound>()
  const sounds = new Map<string, Sound>()
  return {
    make({ speaker }: Target, format: SoundFormat): Sound {
      const { voice, language, leadInMs, leadOutMs } = speaker.settings
      const wanted = { format, voice, language, ...(withWords && { withWords }) }
      const speechKey = JSON.stringify(wanted)
      const speech = speeches.get(speechKey) ?? playable.makeSound(wanted, signal)
      speeches.set(speechKey, speech)

      const around = { leadInMs, chime: playable.chime, leadOutMs }
      const soundKey = speechKey + JSON.stringify(around)
      const sound = sounds.get(soundKey) ?? composeSound(speech, around, signal)
      sounds.set(soundKey, sound)
      return sound
    },
    durationSeconds: () =>
      [...sounds.values()].find(({ isComplete }) => isComplete)?.durationSeconds,
  }
}

async function playOn(
  playable: Playable,
  { speaker, volume }: Target,
  sound: Sound,
  { RED, signal, onFirstSound, onHeard }: PlayOnSpeakersOptions,
): Promise<SpeakerResult> {
  const { name, driver } = speaker
  let startedAt: string | undefined
  let onEnd = () => {}
  const noteFirstSound = () => {
    if (startedAt !== undefined) return startedAt
    startedAt = new Date().toISOString()
    onEnd = onHeard(speaker, sound)
    onFirstSound()
    return startedAt
  }
  const calledAt = performance.now()
  const restMs = () => {
    const heardAt = calledAt + (sound.durationSeconds ?? 0) * 1000
    return Math.max(heardAt, sound.changedAt) + maxStallMs - performance.now()
  }
  const play = async (limit: AbortSignal) => {
    const played = await driver.play(sound, {
      signal: limit,
      volume,
      text: playable.text,
      isMusic: playable.isMusic ?? false,
      onFirstSound: noteFirstSound,
      handOut: playable.addressOutput.send,
    })
    // A flow can confirm a sound that no player has fetched.
    const startedAt = noteFirstSound()
    // A player may take the end of a broken sound for a normal end.
    await sound.completed
    return { startedAt, ...played }
  }
  const problem = () => RED._('speaker.error.no-end', { name })
  const played = await limited(signal, restMs, problem, play).finally(() => onEnd())
  const report: SpeakerReport = {
    name,
    status: 'said',
    finishedAt: new Date().toISOString(),
    ...played,
  }
  return { speaker, report }
}

function until(time: number): () => number {
  return () => time - performance.now()
}

/**
 * Calls a driver with a signal that also aborts at the limit.
 * @param restMs how much time is left; asked again when it is over.
 * @throws {SpeakerError} at the limit; the reason of the signal if the driver does not return after an abort.
 */
async function limited<Result>(
  signal: AbortSignal,
  restMs: () => number,
  problem: () => string,
  call: (limit: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const overdue = new AbortController()
  const limit = AbortSignal.any([signal, overdue.signal])
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    const ms = restMs()
    if (ms <= 0) overdue.abort(new SpeakerError('SPEAKER_NOT_REACHABLE', problem()))
    else timer = setTimeout(check, Math.min(ms, maxTimeoutMs))
  }
  check()
  const called = call(limit)
  try {
    return await unlessAborted(called, limit)
  } catch (error) {
    if (!limit.aborted) throw error
    return await withinTime(maxAbortMs, called, () => limit.reason)
  } finally {
    clearTimeout(timer)
  }
}
