import { toLangCode } from '@parlando/core/text'
import {
  type VoiceCloneBody,
  voiceCloneBodySchema,
  voiceCloneResponseSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { createSlots } from '../../concurrency/slots.ts'
import type { RunningEngines } from '../../engines/engine-registry.ts'
import { ServiceError, tooBusy } from '../../errors/service-error.ts'
import { readValidBody } from '../../requests/parse-request.ts'
import type { ServiceContext } from '../../speaking/synthesis-request.ts'
import { listBaseVoices } from '../../voices/base-voices.ts'
import { chooseRecording } from '../../voices/clone/choose-recording.ts'
import { type MeasuredClone, cloneVoice as measureClone } from '../../voices/clone/clone-voice.ts'
import { readSamples } from '../../voices/clone/sample-data.ts'
import type { SpeakingVoice } from '../../voices/speaking-voice.ts'
import { type Endpoint, named } from '../app/endpoint.ts'
import { imitatedLanguages, imprintLanguages, rejectUnspokenLanguage } from './clone-languages.ts'
import { newClone } from './new-clone.ts'
import { rejectLongTexts, toVoiceResource } from './voice-resource.ts'

// The header of a WAV file, without samples.
const emptyWav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA='

const maxSamples = 10
// A kept recording is stored with its transcription, and a larger voice file would not be read at the next start.
const maxTranscriptionCharacters = 2000
// Every waiting request holds its body in memory.
const maxWaiting = 3
const retryAfterSeconds = 5

/** A request whose language is known. */
type CloneRequest = VoiceCloneBody & { langCode: string }

export const cloneVoice: Endpoint = {
  operation: {
    method: 'post',
    path: '/voices/v1/voices:clone',
    summary:
      'Clones a voice from recordings: imitates its pitch, timbre and pace; with keepRecording, a model may speak like them',
    key: 'basic',
    body: named('VoiceCloneBody', voiceCloneBodySchema),
    bodyExample: {
      displayName: 'Me',
      langCode: 'EN_US',
      voiceSamples: [{ audioData: emptyWav, transcription: 'Hi.' }],
      audioProcessingConfig: { removeBackgroundNoise: true },
      keepRecording: false,
      tags: ['warm'],
    },
    responses: { 'application/json': named('VoiceCloneResponse', voiceCloneResponseSchema) },
  },
  // All samples together in base64: five of the largest size, or many short ones.
  maxBodyBytes: 32 * 1024 * 1024,
  createHandler: (context) => createCloneHandler(context),
}

/**
 * Measures one clone at a time. A request that the caller cancels creates no voice.
 * @param measure measures a voice from recordings.
 */
export function createCloneHandler(
  service: ServiceContext,
  measure: typeof measureClone = measureClone,
): (context: Context) => Promise<Response> {
  const { voiceList, engines } = service
  /** One is measured, and the others wait. */
  const requests = createSlots({
    slots: 1 + maxWaiting,
    limit: {
      maxWaiting: 0,
      toError: ({ running }) => tooBusy(`${running} voices are being cloned`, retryAfterSeconds),
    },
  })
  const measurements = createSlots({ slots: 1 })

  const clone = async (context: Context): Promise<Response> => {
    const { signal } = context.req.raw
    voiceList.clones.rejectWhenFull()
    const given = await readValidBody(context, voiceCloneBodySchema)
    const body = { ...given, langCode: readLanguage(given) }
    rejectOversized(body)
    const imitated = body.keepRecording ? imitatedLanguages(engines) : []
    rejectUnspokenLanguage(body.langCode, [...imprintLanguages(engines), ...imitated])
    const samples = await readSamples(body.voiceSamples)
    const removeBackgroundNoise = body.audioProcessingConfig?.removeBackgroundNoise ?? false
    const { keepRecording } = body
    const bases = listBaseVoices(engines)
    const release = await measurements.acquire(signal)
    const measuring = measure({ samples, removeBackgroundNoise, keepRecording, bases, signal })
    const measured = await measuring.finally(release)
    signal.throwIfAborted()
    const langCode = languageOfClone(body, measured, engines)
    const about = { ...body, langCode }
    const { recording, problem } = chooseRecording(about, measured.recording, service)
    if (!recording) rejectUnspokenLanguage(langCode, imprintLanguages(engines), problem)
    const cloned = await voiceList.clones.add(toSpeakingVoice(about, measured), recording)
    return context.json({
      voice: toVoiceResource(cloned.voice),
      audioSamplesValidated: toReports(body, measured, cloned, problem),
    })
  }

  return async (context) => {
    const release = await requests.acquire(context.req.raw.signal)
    try {
      return await clone(context)
    } finally {
      release()
    }
  }
}

/** @returns such as `EN_US`, also for `languageCode`. @throws {ServiceError} if that is not a language code. */
function readLanguage({ langCode, languageCode = 'AUTO' }: VoiceCloneBody): string {
  if (langCode) return langCode
  const language = toLangCode(languageCode)
  if (language !== 'AUTO' || languageCode === 'AUTO') return language
  const message = 'languageCode must be a code such as en-US, or AUTO'
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function rejectOversized(body: VoiceCloneBody): void {
  rejectLongTexts(body)
  const { length } = body.voiceSamples
  if (length > maxSamples) {
    const message = `voiceSamples: ${length} samples exceed the limit of ${maxSamples}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  for (const [index, { transcription = '' }] of body.voiceSamples.entries()) {
    if (transcription.length <= maxTranscriptionCharacters) continue
    const message = `voiceSamples: the transcription of sample ${index + 1} of ${length} has ${transcription.length} characters, the limit is ${maxTranscriptionCharacters}`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
}

/** @returns the language of the request; that of the base voice for `AUTO`. */
function languageOfClone(
  { langCode }: CloneRequest,
  { engine, engineVoice }: MeasuredClone,
  engines: RunningEngines,
): string {
  if (langCode !== 'AUTO') return langCode
  const voices = engines.get(engine)?.engine.voices
  return voices?.find(({ name }) => name === engineVoice)?.langCode ?? langCode
}

function toSpeakingVoice(
  { displayName, description, tags, langCode }: CloneRequest,
  { engine, engineVoice, profile }: MeasuredClone,
): SpeakingVoice {
  const voice = newClone({ displayName, description, tags, langCode })
  return { voice, engine, engineVoice, imprint: profile }
}

/**
 * The findings on each recording, without the recording itself.
 * @param problem why no recording is kept.
 */
function toReports(
  { voiceSamples }: VoiceCloneBody,
  { samples }: MeasuredClone,
  clone: SpeakingVoice,
  problem: string | undefined,
) {
  const notKept = `The service keeps no recording, because ${problem}: the voice is an imprint`
  return samples.map(({ warnings, errors }, index) => ({
    langCode: clone.voice.langCode,
    transcription: voiceSamples[index]?.transcription ?? '',
    warnings:
      problem && index === 0 ? [...warnings, { code: 'not-kept', text: notKept }] : warnings,
    errors: errors.map((problem) => ({ text: `The sample ${problem}` })),
  }))
}
