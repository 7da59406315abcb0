import type { Sound } from '../sounds/sound.ts'
import type { SpokenCommand } from '../speakers/display.ts'
import type { Driver } from '../speakers/driver.ts'
import type { Speaker } from '../speakers/speaker.ts'
import type { Announcement } from './announcement.ts'
import { listenForCommands } from './listen-for-commands.ts'

/** Somebody may say "again" after the end. */
const lingerMs = 6_000
/** A sound without an end, such as that of a stream. */
const maxOpenMs = 120_000

const open = new WeakMap<Driver, AbortController>()

/**
 * Opens the microphone of a speaker, if its form allows that, for what somebody says to the announcement that begins to sound
 * there. A command, or the next announcement there, closes it.
 * @returns a function to call at the end of the sound: the microphone is closed some seconds later.
 */
export function openCommandMicrophone(
  { driver, settings }: Speaker,
  { text, isMusic, recogniser }: Announcement,
  sound: Sound,
  onCommand: (command: SpokenCommand) => void,
): () => void {
  open.get(driver)?.abort()
  if (!driver.hearCommands || !recogniser || isMusic) return () => {}
  const closing = new AbortController()
  open.set(driver, closing)
  const close = () => closing.abort()
  const closeAfter = (ms: number) => void setTimeout(close, ms).unref()
  closeAfter(maxOpenMs)
  const language = settings.language || recogniser.language
  listenForCommands({
    hear: driver.hearCommands,
    recogniser: { ...recogniser, language },
    text,
    sound,
    signal: closing.signal,
    onHeard(said, command) {
      if (closing.signal.aborted) return
      const isUnderstood = command !== undefined
      driver.display?.showHeard({ text: said, isUnderstood, ...(command && { command }) })
      if (!command) return
      close()
      onCommand(command)
    },
  })
    .catch((error) => {
      if (!closing.signal.aborted) recogniser.onProblem(error)
    })
    .finally(close)
  return () => closeAfter(lingerMs)
}
