import { toFailure } from '../runtime/failure.ts'
import type { Texts } from '../runtime/texts.ts'
import { readyTogether, unlessAborted, withinTime } from '../runtime/wait.ts'
import { type Sound, type SoundFormat, withText } from '../sounds/sound.ts'
import { SpeakerError } from '../speakers/speaker-error.ts'
import type { Announcement, SpeakerReport } from './announcement.ts'
import { composeSound } from './compose-sound.ts'
import type { Target } from './quiet-hours.ts'
import type { SpeakerResult } from './substitutes.ts'

/** A speaker may have to wake up. */
const maxPrepareMs = 20_000
/** The others begin without a speaker that says so much later than the first one that it can play. */
const maxLateMs = 2_000
/** A slow speaker ends this much later than the sound, and may pause for this long in the middle. */
const maxStallMs = 60_000
/** After an abort, a driver that does not return is abandoned: other announcements wait. */
const maxAbortMs = 2000
/** The longest timeout that Node accepts. */
const maxTimeoutMs = 2 ** 31 - 1

export interface PlayOnSpeakersOptions {
  /** The texts of the speaker node. */
  RED: Texts
  signal: AbortSignal
  /** Called when the first speaker is heard. */
  onFirstSound(): void
}

/**
 * Plays an announcement once, on all speakers together.
 * @returns what became of it on each of them, which may all have failed.
 * @throws the reason of the signal after an abort.
 */
export async function playOnSpeakers(
  announcement: Announcement,
  targets: readonly Target[],
  { RED, signal, onFirstSound }: PlayOnSpeakersOptions,
): Promise<{ results: SpeakerResult[]; durationSeconds: number | undefined }> {
  const formats = targets.map(async ({ speaker: { name, driver, handsOut } }) => {
    if (handsOut) announcement.addressOutput.check(name)
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
  const sounds = createSounds(announcement, making.signal)
  const results = await Promise.all(
    targets.map(async (target, index) => {
      let sound: Sound | undefined
      try {
        sound = sounds.make(target, await formats[index]!)
        return await playOn(announcement, target, sound, { RED, signal, onFirstSound: noteSound })
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
function createSounds(announcement: Announcement, signal: AbortSignal) {
  const speeches = new Map<string, Sound>()
  const sounds = new Map<string, Sound>()
  return {
    make({ speaker }: Target, format: SoundFormat): Sound {
      const { voice, language, leadInMs, leadOutMs } = speaker.settings
      const wanted = { format, voice, language }
      const speechKey = JSON.stringify(wanted)
      const speech = speeches.get(speechKey) ?? announcement.makeSound(wanted, signal)
      speeches.set(speechKey, speech)

      const around = { leadInMs, chime: announcement.chime, leadOutMs }
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
  announcement: Announcement,
  { speaker, volume }: Target,
  sound: Sound,
  { RED, signal, onFirstSound }: PlayOnSpeakersOptions,
): Promise<SpeakerResult> {
  const { name, driver } = speaker
  let startedAt = new Date()
  const calledAt = performance.now()
  const restMs = () => {
    const heardAt = calledAt + (sound.durationSeconds ?? 0) * 1000
    return Math.max(heardAt, sound.changedAt) + maxStallMs - performance.now()
  }
  const play = async (limit: AbortSignal) => {
    const played = await driver.play(sound, {
      signal: limit,
      volume,
      text: announcement.text,
      isMusic: announcement.isMusic ?? false,
      onFirstSound() {
        startedAt = new Date()
        onFirstSound()
      },
      handOut: announcement.addressOutput.send,
    })
    // A flow can confirm a sound that no player has fetched.
    onFirstSound()
    // A player may take the end of a broken sound for a normal end.
    await sound.completed
    return played
  }
  const problem = () => RED._('speaker.error.no-end', { name })
  const { confirmedBy } = await limited(signal, restMs, problem, play)
  const report: SpeakerReport = {
    name,
    status: 'said',
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    confirmedBy,
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
