import type { NodeAPI } from 'node-red'
import {
  type Announcement,
  type AnnouncementReport,
  type Priority,
  priorities,
  type Repeat,
} from '../../announcements/announcement.ts'
import { type ChimeName, chimeNames, defaultChime, isChimeName } from '../../playback/chime.ts'
import {
  type PlaybackForm,
  type PlaybackSettings,
  readPlayback,
} from '../../playback/playback-settings.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { isPlainObject, readSettings, readTopic, withoutEmpty } from '../../runtime/settings.ts'
import type { SpeechMessage, SpeechSettings } from '../../runtime/speech/speech-request.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface AnnounceSettings extends SpeechSettings, PlaybackForm {
  priority?: string
  /** The name of a chime, or `none`. A hand-written flow may hold `true` or `false`. */
  chime?: unknown
  /** The time until it expires, in seconds. */
  expiresIn?: string | number
  /** How often it is said; empty: once, or until somebody acknowledges it. */
  times?: string | number
  everySeconds?: string | number
  untilAcknowledged?: boolean
  /** What happens to a text that the service cannot speak. Default: a voice of this machine says it. */
  standIn?: '' | 'none'
}

export interface AnnounceMessage extends SpeechMessage {
  priority?: unknown
  /** Names or rooms of speakers. */
  speakers?: unknown
  volume?: unknown
  expiresIn?: unknown
  chime?: unknown
  repeat?: unknown
  /** Stops the announcements of this node, or those of the topic. */
  stop?: unknown
  /** Ends the repetitions of all nodes, or those of the topic. */
  acknowledge?: unknown
  /** Postpones what is being said or repeats by ten minutes, for all nodes or those of the topic. */
  later?: unknown
  /** Another node has played the sound of the address in `url`. */
  played?: unknown
  url?: unknown
  announcement?: AnnouncementReport
  /** Sentences about a text that the voice does not speak as expected. */
  warning?: string
}

/** What an announcement takes from the message and the form, apart from its text. */
export type AnnouncementSettings = Pick<
  Announcement,
  'priority' | 'topic' | 'expiresInMs' | 'chime' | 'repeat'
> &
  PlaybackSettings

const settingTable = {
  priority: { message: 'priority', form: 'priority', fallback: 'normal' },
  expiresIn: { message: 'expiresIn', form: 'expiresIn' },
  chime: { message: 'chime', form: 'chime' },
} as const

const defaultPauseSeconds = 30
const maxSeconds = 24 * 60 * 60
const maxTimes = 1000
const repeatExample = '{ "times": 3, "everySeconds": 30, "untilAcknowledged": true }'

/** @throws {NodeInputError} with the text of a problem. */
type Reject = (problem: string, values: Record<string, string | number>) => never

/**
 * Reads what the message and the form say about an announcement. The message overrides the form.
 * @throws {NodeInputError} for a value that does not fit.
 */
export function readAnnouncement(
  RED: NodeAPI,
  settings: AnnounceSettings,
  message: AnnounceMessage,
): AnnouncementSettings {
  const { priority, expiresIn, chime = true } = readSettings(message, settings, settingTable)
  const reject: Reject = (problem, values) => {
    throw new NodeInputError(RED._(`announce.error.${problem}`, values))
  }
  if (!priorities.includes(priority as Priority)) {
    reject('not-priority', { priorities: priorities.join(', ') })
  }
  const topic = readTopic(message)
  const seconds = readNumber('expiresIn', expiresIn, { min: 1, max: maxSeconds, reject })
  const repeat = readRepeat(settings, message, reject)
  return {
    priority: priority as Priority,
    chime: readChime(chime, settings, reject),
    ...readPlayback(RED, settings, message),
    ...(topic !== undefined && { topic }),
    ...(seconds !== undefined && { expiresInMs: seconds * 1000 }),
    ...(repeat && { repeat }),
  }
}

/** A number, or nothing for an empty setting. */
function readNumber(
  property: string,
  value: unknown,
  { min, max, reject }: { min: number; max: number; reject: Reject },
): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const number = ['number', 'string'].includes(typeof value) ? Number(value) : Number.NaN
  return number >= min && number <= max ? number : reject('not-number', { property, min, max })
}

/** How often it is said. Nothing: once. */
function readRepeat(
  { times, everySeconds, untilAcknowledged }: AnnounceSettings,
  message: AnnounceMessage,
  reject: Reject,
): Repeat | undefined {
  const own = message.repeat ?? { times, everySeconds, untilAcknowledged }
  if (own === false) return undefined
  if (!isPlainObject(own)) return reject('not-repeat', { example: repeatExample })
  const repeat = withoutEmpty(own)
  const isUntilAcknowledged = repeat['untilAcknowledged'] === true
  const count = readNumber('repeat.times', repeat['times'], { min: 1, max: maxTimes, reject })
  const pauseRange = { min: 1, max: maxSeconds, reject }
  const pause = readNumber('repeat.everySeconds', repeat['everySeconds'], pauseRange)
  if (!isUntilAcknowledged && (count ?? 1) === 1) return undefined
  return {
    times: count ?? Infinity,
    everySeconds: pause ?? defaultPauseSeconds,
    untilAcknowledged: isUntilAcknowledged,
  }
}

/** @param chime of the message, or else of the form. `true`: that of the form. */
function readChime(
  chime: unknown,
  settings: AnnounceSettings,
  reject: Reject,
): ChimeName | undefined {
  if (chime === false || chime === 'none') return undefined
  if (isChimeName(chime)) return chime
  if (chime !== true) reject('not-chime', { chimes: chimeNames.join(', ') })
  return isChimeName(settings.chime) ? settings.chime : defaultChime
}

/** The sequence that the text of a message is a part of, such as an answer of which it is a sentence. */
export function sequenceIdOf({ parts }: AnnounceMessage): string | undefined {
  return typeof parts?.id === 'string' ? parts.id : undefined
}
