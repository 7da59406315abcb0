import { randomBytes } from 'node:crypto'
import { isSameLanguage } from '@parlando/core/text'
import { type VoiceCloneBody, voiceCloneBodySchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import type { RunningEngines } from '../../../engines/registry.ts'
import { createScheduler } from '../../../engines/scheduler.ts'
import { BusyError, ServiceError } from '../../../errors.ts'
import { camelCaseKeys } from '../../../http/camel-case.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import { readJsonBody } from '../../../http/read-json.ts'
import type { ServiceContext } from '../../../speech/synthesis-request.ts'
import { baseVoices } from '../../../voices/base-voices.ts'
import { cloneVoice as measureClone, type VoiceClone } from '../../../voices/clone/clone-voice.ts'
import { readSamples } from '../../../voices/clone/sample-data.ts'
import type { SpeakingVoice } from '../../../voices/voice.ts'
import type { Endpoint } from '../../endpoint.ts'
import { rejectLongTexts } from '../find-voice.ts'
import { clonePrefix, toVoiceResource } from '../voice-resource.ts'
import { chooseRecording } from './choose-recording.ts'
import { cloneVoiceOperation } from './operation.ts'

const maxSamples = 10
// Every waiting request holds its body in memory.
const maxWaiting = 3
const retryAfterSeconds = 5

export const cloneVoice: Endpoint = {
  operation: cloneVoiceOperation,
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
  const { catalogue, engines } = service
  const turns = createScheduler(1)
  let accepted = 0

  const clone = async (context: Context): Promise<Response> => {
    const { signal } = context.req.raw
    catalogue.clones.rejectWhenFull()
    const body = parseRequest(
      context,
      voiceCloneBodySchema,
      camelCaseKeys(await readJsonBody(context)),
    )
    rejectOversized(body)
    rejectUnspokenLanguage(body.langCode, engines)
    const samples = await readSamples(body.voiceSamples)
    const removeBackgroundNoise = body.audioProcessingConfig?.removeBackgroundNoise ?? false
    const { keepRecording } = body
    const run = () => measure({ samples, removeBackgroundNoise, keepRecording, signal })
    const measured = await turns.schedule({ isFirst: false, signal, run })
    signal.throwIfAborted()
    const { recording, problem } = chooseRecording(body, measured.recording, service)
    const cloned = await catalogue.clones.add(toSpeakingVoice(body, measured, engines), recording)
    return context.json({
      voice: toVoiceResource(cloned.voice),
      audioSamplesValidated: toReports(body, measured, cloned, problem),
    })
  }

  return async (context) => {
    if (accepted > maxWaiting) {
      const message = `${accepted} voices are being cloned; try again in ${retryAfterSeconds} s`
      throw new BusyError(message, retryAfterSeconds)
    }
    accepted += 1
    try {
      return await clone(context)
    } finally {
      accepted -= 1
    }
  }
}

function rejectOversized(body: VoiceCloneBody): void {
  rejectLongTexts(body)
  const { length } = body.voiceSamples
  if (length <= maxSamples) return
  const message = `voiceSamples: ${length} samples exceed the limit of ${maxSamples}`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function rejectUnspokenLanguage(langCode: string, engines: RunningEngines): void {
  // A clone speaks the languages of its base voice, even if other engines speak more.
  const cloneable = [...engines.values()].filter(({ engine }) =>
    baseVoices.some((base) => base.engine === engine.name),
  )
  const spoken = new Set(
    cloneable.flatMap(({ engine }) => engine.voices.map((voice) => voice.langCode)),
  )
  if (langCode === 'AUTO' || [...spoken].some((code) => isSameLanguage(code, langCode))) return
  const message = `langCode: clones cannot speak ${langCode}; they can speak ${[...spoken].join(', ')}`
  throw new ServiceError('UNIMPLEMENTED', message)
}

function toSpeakingVoice(
  { displayName, description, tags, langCode }: VoiceCloneBody,
  { engine, engineVoice, profile }: VoiceClone,
  engines: RunningEngines,
): SpeakingVoice {
  const voiceId = newVoiceId(displayName)
  const engineVoices = engines.get(engine)?.engine.voices
  const voice = {
    voiceId,
    displayName,
    description,
    langCode:
      langCode === 'AUTO'
        ? engineVoices?.find(({ name }) => name === engineVoice)?.langCode
        : langCode,
    tags: tags ?? [],
    source: 'IVC',
    createTime: new Date().toISOString(),
  }
  return { voice, engine, engineVoice, imprint: profile }
}

/** Readable and unique, even for equal display names. */
function newVoiceId(displayName: string): string {
  const letters = displayName.normalize('NFKD').replace(/\p{Mark}/gu, '')
  const slug = letters
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
  const random = randomBytes(6).toString('hex')
  return `${clonePrefix}${[slug.replace(/^-|-$/g, ''), random].filter(Boolean).join('-')}`
}

/**
 * The findings on each recording, without the recording itself.
 * @param problem why no recording is kept.
 */
function toReports(
  { voiceSamples }: VoiceCloneBody,
  { samples }: VoiceClone,
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
