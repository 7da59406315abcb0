import type { AudioChapter } from '@parlando/core/audio'
import { speakableText } from '@parlando/core/text'
import type { NodeAPI } from 'node-red'
import { readSpeechText } from '../../../runtime/speech/speech-text.ts'
import type { WorkStatus } from '../../../runtime/status.ts'
import { sharedKey } from '../../../runtime/texts.ts'
import { findForeignScript } from '../foreign-script.ts'
import { durationText, percentOf } from '../progress.ts'
import type { SpeakWork } from '../speak-work.ts'
import { toMessages, warnOfBudget } from '../spoken-text.ts'
import { type LongProgress, speakLong } from './long-speech.ts'
import type { LongText } from './long-text.ts'
import { LongTextProgress } from './long-text-progress.ts'
import { cutIntoParts, type TextPart } from './text-parts.ts'

/** The headings of a text, which cleaning removes, begin its chapters. */
export async function readParts(
  RED: NodeAPI,
  { node, config, message, context }: SpeakWork,
  text: string,
): Promise<TextPart[]> {
  const { signal } = context
  if (!config.clean) return cutIntoParts(text, signal)
  const written = await readSpeechText({ RED, node, message, signal }, { ...config, clean: false })
  return cutIntoParts(written, signal, speakableText)
}

/** Speaks a text as jobs of the service, also one that an earlier process has begun. */
export async function speakLongText(RED: NodeAPI, work: SpeakWork, long: LongText): Promise<void> {
  const { service } = work.context
  const ended = speakToEnd(RED, work, long).finally(() => long.end(service))
  // A text that does not go on after a deploy deletes its jobs then.
  service.letEnd(ended)
  await ended
}

async function speakToEnd(RED: NodeAPI, work: SpeakWork, long: LongText): Promise<void> {
  const { context } = work
  const { service, signal, status } = context
  const { request, parts, jobNames, pause, spending } = long
  const call = { signal, onRetry: () => status.retrying() }
  const chapters: AudioChapter[] = []
  let seconds = 0
  try {
    const onProgress = progressStatus(RED, status, long)
    spending.reserve(service)
    const stream = await service.speak(request, call, {
      keep: false,
      isCounted: true,
      make: (client, made) =>
        speakLong(client, {
          request,
          parts,
          jobNames,
          pause,
          chapters,
          call: made,
          use: service.use,
          submit: long.submit,
          onStreamed: (index) => spending.count(index),
          onSpoken: (untilSeconds) => spending.countAudio(untilSeconds),
          onProgress,
        }),
    })
    warnOfBudget(RED, context)
    const foreign = await findForeignScript(service, request, { ...call, isKept: false })
    if (foreign) status.warn(sharedKey('status.foreign-script'))
    const sequenceId = RED.util.generateId()
    const steps = toMessages(RED, work, { stream, chapters, request, foreign, sequenceId })
    for await (const { message, audio } of steps) {
      seconds = audio.durationSeconds ?? 0
      if (message) context.send(message)
    }
    status.conclude(RED._('speak.status.spoke-long', { duration: durationText(seconds) }))
  } catch (error) {
    // The audio of a part that ends in the middle counts, too.
    spending.countAudio(seconds)
    service.noteFailure(error)
    throw error
  }
}

/** Shows how far the service is, and whether it is interrupted. */
function progressStatus(
  RED: NodeAPI,
  status: WorkStatus,
  long: LongText,
): (progress: LongProgress) => void {
  const job = new LongTextProgress()
  let percent = 0
  let left: string | undefined
  const show = () =>
    status.working(() => {
      if (long.pause.isPaused) return RED._('speak.status.paused', { percent })
      return left === undefined
        ? RED._('speak.status.long', { percent })
        : RED._('speak.status.speaking-long', { percent, left })
    })
  long.onPause = show
  return ({ spokenCharacters, characters }) => {
    percent = percentOf(spokenCharacters, characters)
    left = job.timeLeft(spokenCharacters, characters, performance.now())
    show()
  }
}
