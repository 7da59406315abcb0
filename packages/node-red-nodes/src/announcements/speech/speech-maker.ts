import type { Client } from '@parlando/core'
import { TimeoutError } from '@parlando/core/errors'
import type { Node, NodeAPI } from 'node-red'
import type { WantedSound } from '../../playback/play-on-speakers.ts'
import { toFailure } from '../../runtime/failure.ts'
import { requireService } from '../../runtime/find-service.ts'
import {
  defaultVoice,
  readSpeechRequest,
  type SpeechSettings,
} from '../../runtime/speech/speech-request.ts'
import { warningsOfSound, warningText } from '../../runtime/speech/speech-warnings.ts'
import type { ServiceCall, SpeechService } from '../../runtime/speech-service.ts'
import { sharedText } from '../../runtime/texts.ts'
import { createSound, type Sound, stepBytes } from '../../sounds/sound.ts'
import { appendSpeech } from './append-speech.ts'
import type { SpeechJob, SpeechOptions } from './speech-job.ts'
import { speakWithStandIn } from './stand-in-speech.ts'

/** Makes the speech of an announcement for a speaker. A sentence that was said before exists at once. */
export type MakeSpeech = (options: SpeechOptions, wanted: WantedSound, signal: AbortSignal) => Sound

/** An announcement does not wait longer for the first audio of another machine if a voice of this one can say it. */
const patienceMs = 20_000
/** The codes of what the service rejects: the text or a setting, which the flow has to change. */
const rejections = ['INVALID_INPUT', 'INVALID_ARGUMENT', 'OUT_OF_RANGE']

export function createSpeechMaker(
  RED: NodeAPI,
  node: Node,
  settings: SpeechSettings & { service: string; standIn?: '' | 'none' },
): MakeSpeech {
  return (options, wanted, signal) => {
    const sound = createSound(wanted.format, stepBytes)
    const job = { RED, node, settings, options, wanted, sound, signal }
    const service = () => requireService(RED, node, settings.service)
    const speak = async () =>
      settings.standIn === 'none'
        ? speakWithService(service(), job)
        : speakOrStandIn(service(), job)
    speak().then(
      () => sound.complete(),
      (error) => sound.fail(error),
    )
    return sound
  }
}

/** Speaks with a voice of this machine if the service is away. */
async function speakOrStandIn(service: SpeechService, job: SpeechJob): Promise<void> {
  const { sound, signal, options } = job
  const slow = new AbortController()
  const timer = setTimeout(() => {
    if (sound.byteLength > 0 || service.isOnDevice) return
    const message = sharedText(job.RED, 'speech.no-sound', { seconds: patienceMs / 1000 })
    const facts = { phase: 'first byte', timeoutMs: patienceMs, retryable: true } as const
    slow.abort(new TimeoutError(message, facts))
  }, patienceMs)
  let isConnecting = false
  try {
    const limited = { ...job, signal: AbortSignal.any([signal, slow.signal]) }
    await speakWithService(service, limited, (isConnected) => {
      isConnecting = !isConnected
    })
  } catch (error) {
    const isRejected = !isConnecting && rejections.includes(toFailure(error).code)
    // What was heard is not said again.
    if (isRejected || signal.aborted || sound.byteLength > 0) throw error
    const voiceId = await speakWithStandIn(service, job).catch(() => {
      throw error
    })
    options.onStandIn(voiceId, error)
  } finally {
    clearTimeout(timer)
  }
}

/** @param onConnection called before the service is connected, and after it. Its settings may be wrong. */
async function speakWithService(
  service: SpeechService,
  { RED, settings, options, wanted, sound, signal }: SpeechJob,
  onConnection: (isConnected: boolean) => void = () => {},
): Promise<void> {
  const { text, message, textId, onRetry, onWarning } = options
  const { format, voice, language } = wanted
  const call = { signal, onRetry }
  const form = {
    ...settings,
    voice: voice || settings.voice,
    language: language || settings.language,
  }
  const request = readSpeechRequest(RED, { text, form, message, defaults: service.defaults })
  onConnection(false)
  const spoken = {
    ...request,
    voiceId: request.voiceId ?? (await defaultVoice(RED, service, request, call)),
    audioConfig: { ...request.audioConfig, ...format } as typeof request.audioConfig,
  }
  const speak = (timed: object) => {
    const requested = { ...spoken, ...timed }
    const make = (client: Client, made: ServiceCall) => {
      onConnection(true)
      return client.synthesizeStream(requested, made)
    }
    const keep = message.keep !== false
    return appendSpeech(service, requested, {
      sound,
      call,
      options: { make, keep, textId, isAlarm: options.isAlarm },
    })
  }
  const warnings = wanted.withWords
    ? await speak({ timestampType: 'WORD' }).catch((error) => {
        // Not every voice reports the times of its words.
        if (toFailure(error).code !== 'UNIMPLEMENTED' || sound.byteLength > 0) throw error
        return speak({})
      })
    : await speak({})
  // Without times, a display shows the words unmarked.
  const warning = warningText(RED, spoken.voiceId, warningsOfSound(warnings))
  if (warning) onWarning(warning)
}
