import type { NotSaidReason, PlaceReport } from '../../announcements/playback-report.ts'
import type { Failure } from '../../runtime/failure.ts'
import type { Send } from '../../runtime/input.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'

/** A text that is read aloud, sentence by sentence. */
export interface ReadAloudText {
  readonly id: string
  readonly message: ReadAloudMessage
  readonly sentences: readonly string[]
  /** The sentence that is said now or next, counted from 0. */
  index: number
  /** The text with the lowest number is read first. */
  order: number
  isPaused: boolean
  /** Whether a sentence was said, so that a failure pauses the text instead of ending it. */
  hasBegun: boolean
  /** Why it is paused, if nobody has paused it. */
  problem?: ReadingProblem | undefined
  /** Where the last sentence was said. */
  speakers: readonly PlaceReport[]
  readonly send: Send<ReadAloudMessage>
  /** Ends its message, with a failure for Catch. */
  readonly end: (failure?: Failure) => void
}

export interface ReadingProblem {
  /** Why a sentence was not said, such as quiet hours. */
  reason?: NotSaidReason | undefined
  error?: unknown
}

/** What became of a text. */
export interface ReadingOutcome {
  status: 'read' | 'not read'
  reason?: NotSaidReason
  failure?: Failure
}

/** How much of it was read, in percent of its characters. */
export function percentRead({
  sentences,
  index,
}: Pick<ReadAloudText, 'sentences' | 'index'>): number {
  const lengthOf = (part: readonly string[]) => part.reduce((sum, { length }) => sum + length, 0)
  return Math.floor((100 * lengthOf(sentences.slice(0, index))) / lengthOf(sentences))
}
