import { createSound, type Sound } from '../sounds/sound.ts'
import { type ChimeName, chimeOf, silenceOf } from './chime.ts'

export interface Surroundings {
  leadInMs: number
  /** Absent: no chime. */
  chime?: ChimeName | undefined
  leadOutMs: number
}

/**
 * Puts silence and a chime in front of speech, and silence behind it. They exist at once, so that a speaker plays the
 * chime while the speech is still being made.
 * @param signal Ends the sound, also while it waits for its readers.
 */
export function composeSound(speech: Sound, around: Surroundings, signal?: AbortSignal): Sound {
  const { format } = speech
  const sound = createSound(format)
  const appendIfAny = (bytes: Uint8Array | undefined) => bytes && sound.append(bytes)

  appendIfAny(silenceOf(format, around.leadInMs))
  if (around.chime) appendIfAny(chimeOf(format, around.chime))
  const beforeSeconds = sound.durationSeconds ?? 0
  const addWords = () => {
    const words = speech.words.slice(sound.words.length)
    sound.addWords(
      words.map((word) => ({ ...word, startSeconds: word.startSeconds + beforeSeconds })),
    )
  }
  const appendRest = async () => {
    for await (const chunk of speech.read(signal)) {
      addWords()
      sound.append(chunk)
      await sound.room(signal)
    }
    addWords()
    appendIfAny(silenceOf(format, around.leadOutMs))
    sound.complete()
  }
  appendRest().catch((error) => sound.fail(error))
  return sound
}
