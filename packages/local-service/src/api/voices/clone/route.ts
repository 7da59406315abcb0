import { randomBytes } from 'node:crypto'
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
import { cloneVoice, type VoiceClone } from '../../../voices/clone/clone-voice.ts'
import { readSamples } from '../../../voices/clone/sample-data.ts'
import { isLanguage, languageOf } from '../../../voices/languages.ts'
import type { SpeakingVoice } from '../../../voices/voice.ts'
import { rejectLongTexts } from '../one/route.ts'

/** Of all samples together in base64: five of the largest, or many short ones. */
export const maxCloneBodyBytes = 32 * 1024 * 1024
const maxSamples = 10
// Each that waits holds its body in memory.
const maxWaiting = 3
const retryAfterSeconds = 5

/**
 * `POST /voices/v1/voices:clone`. One clone is measured at a time; a caller that leaves gets none.
 * @param measure what makes a voice of recordings.
 */
export function createCloneHandler(
  { catalogue, engines }: ServiceContext,
  measure: typeof cloneVoice = cloneVoice,
): (context: Context) => Promise<Response> {
  const turns = createScheduler(1)
  let present = 0

  const clone = async (context: Context): Promise<Response> => {
    const { signal } = context.req.raw
    catalogue.clones.rejectWhenFull()
    const body = parseRequest(voiceCloneBodySchema, camelCaseKeys(await readJsonBody(context)))
    rejectOversized(body)
    rejectUnspokenLanguage(body.langCode, engines)
    const samples = readSamples(body.voiceSamples)
    const removeBackgroundNoise = body.audioProcessingConfig?.removeBackgroundNoise ?? false
    const run = () => measure({ samples, removeBackgroundNoise, signal })
    const measured = await turns.schedule({ isFirst: false, signal, run })
    signal.throwIfAborted()
    const made = toSpeakingVoice(body, measured, engines)
    await catalogue.clones.add(made)
    return context.json({
      voice: made.voice,
      audioSamplesValidated: toReports(body, measured, made),
    })
  }

  return async (context) => {
    if (present > maxWaiting) {
      const message = `${present} voices are being cloned; ask again in ${retryAfterSeconds} s`
      throw new BusyError(message, retryAfterSeconds)
    }
    present += 1
    try {
      return await clone(context)
    } finally {
      present -= 1
    }
  }
}

function rejectOversized(body: VoiceCloneBody): void {
  rejectLongTexts(body)
  const { length } = body.voiceSamples
  if (length <= maxSamples) return
  const message = `voiceSamples: ${length} samples are more than the ${maxSamples} a voice is made of`
  throw new ServiceError('INVALID_ARGUMENT', message)
}

function rejectUnspokenLanguage(langCode: string, engines: RunningEngines): void {
  // A clone speaks as the voice it is made on does, whatever other engines can.
  const cloneable = [...engines.values()].filter(({ engine }) =>
    baseVoices.some((base) => base.engine === engine.name),
  )
  const spoken = new Set(
    cloneable.flatMap(({ engine }) => engine.voices.map((voice) => voice.langCode)),
  )
  const language = languageOf(langCode)
  if (langCode === 'AUTO' || [...spoken].some((code) => isLanguage(code, language))) return
  const message = `langCode: no voice that can be cloned on speaks ${langCode}; a clone can speak ${[...spoken].join(', ')}`
  throw new ServiceError('UNIMPLEMENTED', message)
}

function toSpeakingVoice(
  { displayName, description, tags, langCode }: VoiceCloneBody,
  { engine, engineVoice, profile }: VoiceClone,
  engines: RunningEngines,
): SpeakingVoice {
  const voiceId = newVoiceId(displayName)
  const itsVoices = engines.get(engine)?.engine.voices
  const voice = {
    voiceId,
    name: `workspaces/local/voices/${voiceId}`,
    displayName,
    description,
    langCode:
      langCode === 'AUTO'
        ? itsVoices?.find(({ name }) => name === engineVoice)?.langCode
        : langCode,
    tags: tags ?? [],
    source: 'IVC',
    createTime: new Date().toISOString(),
  }
  return { voice, engine, engineVoice, imprint: profile }
}

/** Readable, and no two alike: names may be the same. */
function newVoiceId(displayName: string): string {
  const letters = displayName.normalize('NFKD').replace(/\p{Mark}/gu, '')
  const slug = letters
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
  const random = randomBytes(6).toString('hex')
  return `local__${[slug.replace(/^-|-$/g, ''), random].filter(Boolean).join('-')}`
}

/** What is said of each recording; the recording itself does not travel back. */
function toReports(
  { voiceSamples }: VoiceCloneBody,
  { samples }: VoiceClone,
  clone: SpeakingVoice,
) {
  return samples.map(({ warnings, errors }, index) => ({
    langCode: clone.voice.langCode,
    transcription: voiceSamples[index]?.transcription ?? '',
    warnings,
    errors: errors.map((problem) => ({ text: `The sample ${problem}` })),
  }))
}
