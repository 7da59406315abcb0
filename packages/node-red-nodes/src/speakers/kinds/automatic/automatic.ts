import type { Driver } from '../../driver.ts'
import type { SpeakerKind } from '../../speaker-kind.ts'

export function automaticSpeaker(candidates: Readonly<Record<string, SpeakerKind>>): SpeakerKind {
  return {
    create(context) {
      const drivers = Object.entries(candidates).map(([name, kind]) => [name, kind.create(context)])
      return createAutomaticDriver(Object.fromEntries(drivers))
    },
    devices: () => Object.keys(candidates),
    isBuiltIn: true,
    isDefault: true,
  }
}

/**
 * The speaker of a node that names none: the first of these that can play. It decides anew for each sound, since an
 * editor is opened and closed.
 */
export function createAutomaticDriver(candidates: Readonly<Record<string, Driver>>): Driver {
  const places = Object.keys(candidates)
  let place = places[0]!
  // An editor has none, but is often open on this machine.
  const questionMicrophone = Object.values(candidates).find(
    (driver) => driver.questionMicrophone,
  )?.questionMicrophone
  return {
    ...(questionMicrophone && { questionMicrophone }),
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
