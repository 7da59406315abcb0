import type { NodeMessageInFlow } from 'node-red'
import type { CommandSentence } from '../../recognition/command-sentences.ts'
import { matchSentence } from '../../recognition/match-sentence.ts'
import type { Recognised } from '../../recognition/recognised.ts'
import { leaveSequence } from '../../sounds/chunk-sequences.ts'

/** Facts about a text, sent in `msg.transcript`. A fact that the service does not report is absent. */
export interface TranscriptFacts extends Omit<Recognised, 'text' | 'sentenceMatch'> {
  /** The time from the end of the speech, or of the recording, to the text. */
  tookMs: number
  /** Why no sentence was understood. */
  reason?: 'different' | 'noise'
}

export interface ListenMessage extends NodeMessageInFlow {
  /** The format of samples without a header. */
  audio?: unknown
  complete?: unknown
  language?: unknown
  sentences?: unknown
  prompts?: unknown
  transcriptionModel?: unknown
  /** The sentence that was understood. */
  command?: { name: string; slots: Record<string, string> }
  /** The sentences most like the text, if none was understood. */
  nearest?: readonly string[]
  transcript?: TranscriptFacts
  speech?: { startSeconds?: number; silenceMs?: number }
}

/** The end of some work: what the node sends, and on which output. */
export interface TextMessage {
  output: 'text' | 'not-understood'
  message: ListenMessage
}

/** Puts a text into a message. With sentences, the text becomes the command that it means, if it clearly means one. */
export function writeText(
  message: ListenMessage,
  recognised: Recognised,
  tookMs: number,
  sentences: readonly CommandSentence[] | undefined,
): TextMessage {
  const { text, sentenceMatch, ...facts } = recognised
  clearResults(message)
  message.payload = text
  message.transcript = { ...facts, tookMs: Math.round(tookMs) }
  if (!sentences) return { output: 'text', message }

  const all = sentences.map(({ sentence }) => sentence)
  const match = sentenceMatch ?? matchSentence(text, all)
  const said = sentences.find(({ sentence }) => sentence === match.sentence)
  if (said) {
    message.payload = said.sentence
    message.command = { name: said.name, slots: { ...said.slots } }
    return { output: 'text', message }
  }
  message.nearest = [...match.nearest]
  if (sentenceMatch?.reason) message.transcript.reason = sentenceMatch.reason
  return { output: 'not-understood', message }
}

/** Removes what belongs to the audio, and what an earlier *listen* node has set. */
export function clearResults(message: ListenMessage): void {
  const type = (message.parts as { type?: unknown } | undefined)?.type
  // A recording that is an entry of an array stays part of its sequence.
  if (type === undefined || type === 'buffer') leaveSequence(message)
  for (const property of ['audio', 'command', 'nearest', 'transcript', 'speech'] as const) {
    delete message[property]
  }
}
