import type { Driver } from '../driver.ts'
import { editorSpeaker } from '../editor/editor.ts'
import { machineSpeaker } from '../machine/machine.ts'
import type { SpeakerKind } from '../speaker-kind.ts'

export const automaticSpeaker: SpeakerKind = {
  create: (context) =>
    createAutomaticDriver({
      editor: editorSpeaker.create(context),
      machine: machineSpeaker.create(context),
    }),
  devices: () => ['editor', 'machine'],
  isBuiltIn: true,
  isDefault: true,
}

/**
 * The speaker of a node that names none: the first of these that can play. It decides anew for each sound, since an
 * editor is opened and closed.
 */
export function createAutomaticDriver(candidates: Readonly<Record<string, Driver>>): Driver {
  const places = Object.keys(candidates)
  let place = places[0]!
  return {
    place: () => place,
    async prepare(signal) {
      let firstError: unknown
      for (const candidate of places) {
        try {
          const format = await candidates[candidate]!.prepare(signal)
          place = candidate
          return format
        } catch (error) {
          signal.throwIfAborted()
          firstError ??= error
        }
      }
      // It says what to do in the most usual place.
      throw firstError
    },
    play: (sound, options) => candidates[place]!.play(sound, options),
    async close() {
      await Promise.all(Object.values(candidates).map((driver) => driver.close()))
    },
  }
}
