import type { NodeAPI } from 'node-red'
import { sharedPlayback } from '../../announcements/node/shared-playback.ts'
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

/**
 * Handles `msg.pause`, `msg.resume`, `msg.skip`, `msg.stop` and `msg.played`.
 * @param onNoText called if the node has no text.
 * @returns whether the message has one of them.
 * @throws {NodeInputError} for a `msg.skip` that is no whole number.
 */
export function takeControls(
  RED: NodeAPI,
  message: ReadAloudMessage,
  { reader, intake }: Controlled,
  onNoText: () => void,
): boolean {
  const { pause, resume, skip, stop, played, url } = message
  // Before `stop`: the node of a player may pass on the message that stopped it.
  if (played === true) {
    sharedPlayback().notePlayed(url)
    return true
  }
  if (stop === true) {
    intake.stop()
    if (reader.stop(meantBy(message, reader.readings)) === 0) onNoText()
    return true
  }
  const isControl = pause === true || resume === true || hasValue(skip)
  if (!isControl) return false
  const count = hasValue(skip) ? readCount(RED, skip) : undefined
  let isObeyed = true
  if (pause === true) isObeyed = reader.pause()
  if (count !== undefined) isObeyed = reader.skip(count)
  if (resume === true && isObeyed) isObeyed = reader.resume()
  if (!isObeyed) onNoText()
  return true
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
