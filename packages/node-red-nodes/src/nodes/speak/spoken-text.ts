import type { AudioChapter } from '@parlando/core/audio'
import type { NodeAPI } from 'node-red'
import type { CompleteSpeechRequest } from '../../runtime/speech/speech-request.ts'
import { warningsOfSound, warningText } from '../../runtime/speech/speech-warnings.ts'
import type { Speech } from '../../runtime/speech-service.ts'
import { sharedKey } from '../../runtime/texts.ts'
import type { WorkContext } from '../../runtime/work.ts'
import { type SpeakMessage, speechMessages } from './audio-messages.ts'
import type { ForeignScript } from './foreign-script.ts'
import type { SpeakWork } from './speak-work.ts'

/** The status shows the budget of the service when this share of it is spent. */
const noticeShare = 0.8

export function warnOfBudget(
  RED: NodeAPI,
  { service, status }: Pick<WorkContext<SpeakMessage>, 'service' | 'status'>,
): void {
  const share = service.budgetShare()
  if (share < noticeShare) return
  status.warn(RED._('speak.status.budget', { percent: Math.floor(share * 100) }))
}

interface SpeechOfText {
  stream: Speech
  /** Default: none. */
  chapters?: readonly AudioChapter[]
  request: CompleteSpeechRequest
  foreign: ForeignScript | undefined
  sequenceId: string
}

/** Turns speech into messages while it arrives. */
export function toMessages(
  RED: NodeAPI,
  { config, message, context: { status } }: SpeakWork,
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
      const { warnings } = stream
      if (warningsOfSound(warnings).length > 0) status.warn(sharedKey('status.not-as-written'))
      return warningText(RED, voiceId, warnings)
    },
    clone: (original) => RED.util.cloneMessage(original),
    tooLarge: (mebibytes) => RED._('speak.error.too-large', { mebibytes }),
  })
}
