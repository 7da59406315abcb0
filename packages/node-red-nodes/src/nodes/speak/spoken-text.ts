import { hasSpeakable, speakableText } from '@parlando/core/text'
import type { Node, NodeAPI } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { readSetting, settingOrPayload, sourceOf } from '../../shared/setting.ts'
import type { SpeakMessage } from './speech-messages.ts'

/** What the form says about the text. */
export interface TextSettings {
  text?: string
  textType?: string
  /** Takes signs of Markdown, addresses and emoji out of the text. Absent in flows of before. */
  clean?: boolean
}

/**
 * The text to speak.
 * @returns an empty one where a part of a sequence has nothing to say: without it, the others would never be joined.
 * @throws {NodeInputError} when it is not text, or a message that stands alone has nothing to say.
 */
export async function readSpokenText(
  RED: NodeAPI,
  node: Node,
  settings: TextSettings,
  message: SpeakMessage,
  signal: AbortSignal,
): Promise<string> {
  const setting = settingOrPayload(settings.text, settings.textType)
  const { value: text } = await readSetting(RED, node, setting, message, signal)
  const source = sourceOf(setting)
  if (text === undefined || text === null) {
    throw new NodeInputError(RED._('speak.error.no-text', { source }))
  }
  if (typeof text !== 'string') {
    const kind = Array.isArray(text) ? 'array' : Buffer.isBuffer(text) ? 'buffer' : typeof text
    throw new NodeInputError(RED._('speak.error.not-text', { source, kind }))
  }
  const spoken = settings.clean ? withoutBarePunctuation(speakableText(text)) : text
  if (spoken.trim() !== '') return spoken
  if (message.parts) return ''
  const error = text.trim() === '' ? 'no-text' : 'nothing-left'
  throw new NodeInputError(RED._(`speak.error.${error}`, { source }))
}

/** Cleaning a line that was only an emoji or a URL may leave a full stop. */
function withoutBarePunctuation(text: string): string {
  return hasSpeakable(text) ? text : ''
}
