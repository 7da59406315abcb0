import type { NodeAPI } from 'node-red'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { readTopic } from '../../runtime/settings.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import type { Reader } from './reader.ts'
import type { ReadAloudText } from './reading.ts'
import type { TextIntake } from './text-intake.ts'

export interface Controlled {
  reader: Reader
  intake: TextIntake
}

/** What a message asks of the texts. @returns whether the node has a text. */
export type Control = (texts: Controlled) => boolean

/** @returns whether the message is the report of a player, which is noted. The node of a player may also pass on the message that stopped it. */
export function notePlayed({ played, url }: ReadAloudMessage): boolean {
  if (played === true) sharedPlayback().notePlayed(url)
  return played === true
}

/**
 * Reads `msg.pause`, `msg.resume`, `msg.skip` and `msg.stop`.
 * @returns nothing for a message that has none of them.
 * @throws {NodeInputError} for a `msg.skip` that is no whole number.
 */
export function readControl(RED: NodeAPI, message: ReadAloudMessage): Control | undefined {
  const { pause, resume, skip, stop } = message
  if (stop === true) {
    return ({ reader, intake }) => {
      intake.stop()
      return reader.stop(meantBy(message, reader.readings)) > 0
    }
  }
  const isControl = pause === true || resume === true || hasValue(skip)
  if (!isControl) return undefined
  const count = hasValue(skip) ? readCount(RED, skip) : undefined
  return ({ reader }) => {
    let isObeyed = true
    if (pause === true) isObeyed = reader.pause()
    if (count !== undefined) isObeyed = reader.skip(count)
    if (resume === true && isObeyed) isObeyed = reader.resume()
    return isObeyed
  }
}

/** The texts of the topic; all without a topic, and with one that no text has: a button sends the name of its device. */
function meantBy(
  message: ReadAloudMessage,
  readings: readonly ReadAloudText[],
): (reading: ReadAloudText) => boolean {
  const topic = readTopic(message)
  const hasTopic = (reading: ReadAloudText) => readTopic(reading.message) === topic
  return topic !== undefined && readings.some(hasTopic) ? hasTopic : () => true
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false
}

function readCount(RED: NodeAPI, skip: unknown): number {
  const count = ['number', 'string'].includes(typeof skip) ? Number(skip) : Number.NaN
  if (Number.isSafeInteger(count)) return count
  throw new NodeInputError(RED._('read-aloud.error.not-count'))
}
