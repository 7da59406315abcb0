import { createSound, maxSoundSeconds, type Sound } from '../sounds/sound.ts'
import { type ChimeName, chimeOf, silenceOf } from './chime.ts'

export interface Surroundings {
  leadInMs: number
  /** Absent: no chime. */
  chime?: ChimeName | undefined
  leadOutMs: number
}

/** The lead-in, the chime and the end silence are not part of the text. */
const maxSurroundingSeconds = 10

/**
 * Puts silence and a chime in front of speech, and silence behind it. They exist at once, so that a loudspeaker plays the
 * chime while the speech is still being made.
 */
export function composeSound(speech: Sound, around: Surroundings): Sound {
  const { format } = speech
  const sound = createSound(format, maxSoundSeconds + maxSurroundingSeconds)
  const appendIfAny = (bytes: Uint8Array | undefined) => bytes && sound.append(bytes)

  appendIfAny(silenceOf(format, around.leadInMs))
  if (around.chime) appendIfAny(chimeOf(format, around.chime))
  const appendRest = async () => {
    for await (const chunk of speech.read()) sound.append(chunk)
    appendIfAny(silenceOf(format, around.leadOutMs))
    sound.complete()
  }
  appendRest().catch(sound.fail)
  return sound
}
