import { chimeOf } from '../../playback/chime.ts'
import { createSound, type Sound, stepBytes } from '../../sounds/sound.ts'

/** Puts the tone that means "listening" behind the speech of a question. A format without chimes has none. */
export function withTone(speech: Sound, signal: AbortSignal): Sound {
  const sound = createSound(speech.format, stepBytes)
  const append = async () => {
    for await (const chunk of speech.read(signal)) {
      sound.append(chunk)
      await sound.room(signal)
    }
    const tone = chimeOf(speech.format, 'listening')
    if (tone) sound.append(tone)
    sound.complete()
  }
  append().catch((error) => sound.fail(error))
  return sound
}
