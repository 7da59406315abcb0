import type { NodeAPI, NodeStatus } from 'node-red'
import type { AnnouncementState } from '../../announcements/announcement.ts'
import { reasonText } from '../../announcements/node/playback-status.ts'
import { describeFailure } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import { failedStatus } from '../../runtime/status.ts'
import { sharedKey, sharedText } from '../../runtime/texts.ts'
import { savableMessage } from '../../saved/savable-message.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import { percentRead, type ReadAloudText, type ReadingOutcome } from './reading.ts'

/** A text that has ended before it had sentences. */
export const noSentences: Pick<ReadAloudText, 'index' | 'sentences' | 'speakers'> = {
  index: 0,
  sentences: [],
  speakers: [],
}

/** Sends a message at the output that fits what became of its text. */
export function sendOutcome(
  send: Send<ReadAloudMessage>,
  message: ReadAloudMessage,
  { index, sentences, speakers }: Pick<ReadAloudText, 'index' | 'sentences' | 'speakers'>,
  { status, reason, failure }: ReadingOutcome,
): void {
  message.reading = {
    status,
    ...(reason && { reason }),
    ...(failure && { error: describeFailure(failure) }),
    sentence: index,
    sentences: sentences.length,
    speakers,
  }
  send(status === 'read' ? [message, null] : [null, message])
}

/** The part of a message that is saved next to its sentences: not its text, which the sentences have. */
export function keptMessage(message: ReadAloudMessage): Record<string, unknown> {
  try {
    const { payload: _text, ...rest } = message
    return savableMessage(rest, '')
  } catch {
    // A getter that throws.
    return {}
  }
}

/** The message of a text that was saved. */
export function restoredMessage(
  kept: Record<string, unknown>,
  sentences: readonly string[],
): ReadAloudMessage {
  return { ...kept, payload: sentences.join('\n') } as unknown as ReadAloudMessage
}

/** What a sentence does now, and where. */
export interface SayingState {
  state: AnnouncementState | 'starting'
  /** The names of its speakers. */
  where: string
}

/** Shows where a text is, never its words. */
export function readingStatus(
  RED: NodeAPI,
  reading: ReadAloudText,
  { state, where }: SayingState,
  waiting: number,
): NodeStatus {
  const { index, sentences, isPaused, problem } = reading
  if (problem?.error !== undefined) return failedStatus(problem.error)
  const values = {
    sentence: index + 1,
    sentences: sentences.length,
    percent: percentRead(reading),
    where,
  }
  const others = waiting > 0 ? `, ${sharedText(RED, 'status.waiting', { count: waiting })}` : ''
  const place = (key: string) => RED._(`read-aloud.status.${key}`, values)
  if (isPaused) {
    const reason = problem?.reason ? ` (${reasonText(RED, problem)})` : ''
    return { fill: 'grey', shape: 'ring', text: `${place('paused')}${reason}${others}` }
  }
  if (state === 'starting' && waiting === 0)
    return { fill: 'blue', shape: 'dot', text: sharedKey('status.starting') }
  const key = state === 'saying' ? 'reading' : 'waiting'
  return { fill: 'blue', shape: 'dot', text: `${place(key)}${others}` }
}

/** Shows what became of the last text. */
export function outcomeStatus(
  RED: NodeAPI,
  { status, reason, failure }: ReadingOutcome,
): NodeStatus {
  if (failure) return failedStatus(failure)
  if (status === 'read') {
    const time = new Date().toTimeString().slice(0, 5)
    return { fill: 'green', shape: 'dot', text: RED._('read-aloud.status.read', { time }) }
  }
  const text = RED._('read-aloud.status.not-read', { reason: reasonText(RED, { reason }) })
  return { fill: 'yellow', shape: 'dot', text }
}
