import { describeFailure } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import { savableMessage } from '../../saved/savable-message.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import type { ReadAloudText, ReadingOutcome } from './reading.ts'

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
