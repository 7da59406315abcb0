import type { AudioChapter } from '@parlando/core/audio'
import { foreignScript } from '@parlando/core/text'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { ServiceCall, Speech, SpeechService } from '../../runtime/find-service.ts'
import type { BusyMode } from '../../runtime/runner.ts'
import type { SpeechSettings } from '../../runtime/speech-request.ts'
import { warningText } from '../../runtime/speech-warnings.ts'
import { sharedKey } from '../../runtime/texts.ts'
import type { WorkTools } from '../../runtime/work.ts'
import { type SpeakMessage, type SpeakOptions, speechMessages } from './audio-messages.ts'
import type { LongTexts } from './long-texts/long-texts.ts'

export interface SpeakDef extends NodeDef, SpeechSettings {
  service: string
  output: SpeakOptions['output']
  busy: BusyMode
}

/** Of the budget of the service, from which on the status shows it. */
const noticeShare = 0.8

export interface SpeakWork {
  node: Node
  config: SpeakDef
  message: SpeakMessage
  tools: WorkTools<SpeakMessage>
  longTexts: LongTexts
}

export function warnOfBudget(
  RED: NodeAPI,
  { service, status }: Pick<WorkTools<SpeakMessage>, 'service' | 'status'>,
): void {
  const share = service.budgetShare()
  if (share < noticeShare) return
  status.warn(RED._('speak.status.budget', { percent: Math.floor(share * 100) }))
}

interface SpeechOfText {
  stream: Speech
  /** Default: none. */
  chapters?: readonly AudioChapter[]
  request: SpeakOptions['request'] & { voiceId: string }
  foreign: ForeignScript | undefined
  sequenceId: string
}

/** Turns speech into messages while it arrives. */
export function toMessages(
  RED: NodeAPI,
  { config, message, tools: { status } }: SpeakWork,
  { stream, chapters, request, foreign, sequenceId }: SpeechOfText,
): ReturnType<typeof speechMessages> {
  const { voiceId } = request
  return speechMessages({
    stream,
    chapters,
    request,
    message,
    output: config.output,
    hasCaptions: config.captions === true,
    sequenceId,
    warning() {
      if (foreign) return RED._('speak.warning.script', { voice: voiceId, ...foreign })
      const text = warningText(RED, voiceId, stream.warnings)
      if (text) status.warn(sharedKey('status.not-as-written'))
      return text
    },
    clone: (original) => RED.util.cloneMessage(original),
    tooLarge: (mebibytes) => RED._('speak.error.too-large', { mebibytes }),
  })
}

interface ForeignScript {
  /** Of the voice. */
  language: string
  script: string
}

/** The script that a voice does not speak, and the language of the voice. @returns nothing if it speaks the whole text. */
export async function findForeignScript(
  service: SpeechService,
  { text, language: wanted, voiceId }: { text: string; language?: unknown; voiceId: string },
  call: ServiceCall & { isKept: boolean | undefined },
): Promise<ForeignScript | undefined> {
  // Every voice speaks ASCII, which spares the first text a request.
  const isAscii = !/[^\p{ASCII}]/u.test(text)
  const known = wanted || isAscii ? wanted : await service.languageOf(voiceId, call)
  const language = String(known || '')
  const script = language ? foreignScript(text, language) : undefined
  return script ? { language, script } : undefined
}
