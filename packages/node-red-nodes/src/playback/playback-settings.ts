import { NodeInputError } from '../runtime/failure.ts'
import { isList, readSettings } from '../runtime/settings.ts'
import { sharedText, type Texts } from '../runtime/texts.ts'

/** Settings of a node that plays. A hand-written flow may leave each out. */
export interface PlaybackForm {
  /** The id of a configuration node; empty: the default speaker. */
  speaker?: string
  /** Ids of others, and names of rooms; `everywhere` means all. */
  alsoOn?: readonly string[]
  /** 0 to 100; empty: the volume of the speaker. */
  volume?: string | number
}

export interface PlaybackSettings {
  /** Names, rooms or ids; empty: the default speaker. */
  speakerNames: string[]
  volume?: number
}

/**
 * Reads where and how loud to play. The message overrides the form.
 * @throws {NodeInputError} for a value that does not fit.
 */
export function readPlayback(RED: Texts, form: PlaybackForm, message: object): PlaybackSettings {
  const { speakers, speaker, alsoOn, volume } = readSettings(message, form, {
    speakers: { message: 'speakers' },
    speaker: { form: 'speaker', fallback: '' },
    alsoOn: { form: 'alsoOn', fallback: '' },
    volume: { message: 'volume', form: 'volume' },
  })
  const names = speakers === undefined ? [speaker, ...listOf(alsoOn)] : listOf(speakers)
  if (!names.every((name) => typeof name === 'string')) {
    throw new NodeInputError(sharedText(RED, 'error.not-speakers'))
  }
  const speakerNames = names.map((name) => name.trim()).filter((name) => name !== '')
  if (volume === undefined) return { speakerNames }
  const percent = ['number', 'string'].includes(typeof volume) ? Number(volume) : Number.NaN
  if (percent >= 0 && percent <= 100) return { speakerNames, volume: percent }
  throw new NodeInputError(sharedText(RED, 'error.not-volume'))
}

function listOf(value: unknown): unknown[] {
  return isList(value) ? value : [value]
}
