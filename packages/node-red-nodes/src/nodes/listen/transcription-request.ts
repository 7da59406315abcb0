import { type CommandSentence, expandSentences } from '../../recognition/command-sentences.ts'
import type { EndOfTurnSettings } from '../../recognition/end-of-turn-settings.ts'
import type { ListenRequest } from '../../recognition/transcribe-live.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { isList, readSettings } from '../../runtime/settings.ts'
import { sharedText, type Texts } from '../../runtime/texts.ts'
import type { ListenMessage } from './transcript-message.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface ListenSettings extends EndOfTurnSettings {
  output?: 'text' | 'sentences' | 'subtitles'
  /** One per line, and the lists of their slots. */
  sentences?: string
  language?: string
  model?: string
  /** Separated by commas. */
  expectedWords?: string
}

const settingTable = {
  modelId: { message: 'transcriptionModel', form: 'model' },
  language: { message: 'language', form: 'language' },
  prompts: { message: 'prompts', form: 'expectedWords' },
} as const

/** Builds the request. The message overrides the form. @throws {NodeInputError} for a setting of another type. */
export function readTranscriptionRequest(
  RED: Texts,
  settings: ListenSettings,
  message: ListenMessage,
): ListenRequest {
  const { modelId, language, prompts } = readSettings(message, settings, settingTable)
  const words = typeof prompts === 'string' ? prompts.split(/[,，、\n]/) : prompts
  if (words !== undefined && !isTexts(words)) {
    throw new NodeInputError(RED._('listen.error.not-prompts'))
  }
  const expected = (words ?? []).map((word) => word.trim()).filter(Boolean)
  return {
    wordTimestamps: true,
    ...(modelId !== undefined && { modelId: modelId as string }),
    ...(language !== undefined && { language: language as string }),
    ...(expected.length > 0 && { prompts: expected }),
  }
}

/** The sentences that may be said. @throws {NodeInputError} with the first problem of the lines. */
export function readSentences(
  RED: Texts,
  settings: ListenSettings,
  message: ListenMessage,
): readonly CommandSentence[] {
  const own = message.sentences
  const isOwn = own !== undefined && own !== null && own !== ''
  const lines = isOwn ? own : (settings.sentences ?? '')
  if (typeof lines !== 'string' && !isTexts(lines)) {
    throw new NodeInputError(RED._('listen.error.not-sentences'))
  }
  const expanded = expandSentences(typeof lines === 'string' ? lines : lines.join('\n'))
  if (expanded.sentences) return expanded.sentences
  const { problem, ...values } = expanded.problem
  throw new NodeInputError(sharedText(RED, `sentences.${problem}`, values))
}

function isTexts(value: unknown): value is string[] {
  return isList(value) && value.every((entry) => typeof entry === 'string')
}
