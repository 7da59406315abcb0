import { readFile } from 'node:fs/promises'
import { voiceFileSchema, voiceSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { createSlots } from '../../concurrency/slots.ts'
import { ServiceError, tooBusy } from '../../errors/service-error.ts'
import { readValidBody } from '../../requests/parse-request.ts'
import type { ServiceContext } from '../../speaking/synthesis-request.ts'
import { listBaseVoices } from '../../voices/base-voices.ts'
import { chooseRecording, type RecordedVoice } from '../../voices/clone/choose-recording.ts'
import { cutRecording, recordingRateHertz } from '../../voices/clone/cut-recording.ts'
import { decodeSample } from '../../voices/clone/decode-sample.ts'
import type { SampleRecording } from '../../voices/clone/measure-samples.ts'
import { nearestVoice } from '../../voices/clone/nearest-voice.ts'
import { readSamples } from '../../voices/clone/sample-data.ts'
import {
  type PortableVoice,
  portableVoiceSchema,
  toPortableVoice,
} from '../../voices/store/stored-voice.ts'
import { type Endpoint, named } from '../app/endpoint.ts'
import { imprintLanguages, rejectUnspokenLanguage } from './clone-languages.ts'
import { newClone } from './new-clone.ts'
import { findClone, rejectLongTexts, toVoiceResource } from './voice-resource.ts'

const verb = ':export'
// A recording of 10 s in base64, and the measures of the voice.
const maxFileBytes = 2 * 1024 * 1024
// Every waiting request holds its body in memory.
const maxWaiting = 3
const retryAfterSeconds = 5

export const exportVoice: Endpoint = {
  operation: {
    method: 'get',
    path: `/local/v1/voices/{voiceId}${verb}`,
    summary: 'Returns a cloned voice as a file, with its recording if the service keeps one',
    key: 'basic',
    responses: { 'application/json': named('VoiceFile', voiceFileSchema) },
  },
  createHandler:
    ({ voiceList }) =>
    async (context) => {
      const voiceId = (context.req.param('voiceId') ?? '').slice(0, -verb.length)
      const { voice } = findClone(voiceList, voiceId)
      const clone = voiceList.clones.find(voice.voiceId)!
      const { recording } = clone
      // A person may have deleted the file. Then the voice is an imprint, here and elsewhere.
      const wav = recording && (await readFile(recording.wavPath).catch(() => undefined))
      return context.json(toPortableVoice(clone, wav))
    },
}

export const importVoice: Endpoint = {
  operation: {
    method: 'post',
    path: '/local/v1/voices:import',
    summary: 'Adds the cloned voice of a file, with a new id',
    key: 'basic',
    body: named('VoiceFile', voiceFileSchema),
    bodyExample: { parlandoVoice: 1, voice: { displayName: 'Me', langCode: 'EN_US' } },
    responses: { 'application/json': named('Voice', voiceSchema) },
  },
  maxBodyBytes: maxFileBytes,
  createHandler(service) {
    const turns = createSlots({
      slots: 1,
      limit: {
        maxWaiting,
        toError: ({ running, waiting }) =>
          tooBusy(`${running + waiting} voices are being added`, retryAfterSeconds),
      },
    })
    return async (context) => {
      const release = await turns.acquire(context.req.raw.signal)
      try {
        return context.json(toVoiceResource(await addVoice(service, context)))
      } finally {
        release()
      }
    }
  },
}

async function addVoice(service: ServiceContext, context: Context) {
  const { voiceList, engines } = service
  voiceList.clones.rejectWhenFull()
  const file = await readValidBody(context, portableVoiceSchema)
  const { voice, imprint } = file
  const { displayName, description, langCode, tags } = voice
  rejectLongTexts({ displayName, description: description ?? '', tags: tags ?? [] })
  const { request, recorded } = await readRecording(file, langCode, context.req.raw.signal)
  const { recording, problem } = chooseRecording(request, recorded, service)
  if (!recording) rejectUnspokenLanguage(langCode, imprintLanguages(engines), problem)
  const { engine, engineVoice } = nearestVoice(imprint, listBaseVoices(engines))
  const added = newClone({ displayName, description, langCode, tags })
  const clone = { voice: added, engine, engineVoice, imprint }
  return (await voiceList.clones.add(clone, recording)).voice
}

/**
 * Decodes the recording of a file, in a process, and writes it anew: engines read it later.
 * @returns also the request by which the service would have kept it.
 */
async function readRecording(
  { recording }: PortableVoice,
  langCode: string,
  signal: AbortSignal,
): Promise<{
  request: RecordedVoice
  recorded?: SampleRecording
}> {
  if (!recording) return { request: { keepRecording: false, voiceSamples: [], langCode } }
  const { audioData, text } = recording
  const voiceSamples = [{ audioData, transcription: text }]
  const [wav] = await readSamples(voiceSamples)
  const { samples, sampleRateHertz } = await decodeSample(wav!, signal).catch((error: Error) => {
    signal.throwIfAborted()
    throw new ServiceError('INVALID_ARGUMENT', `recording: it ${error.message}`)
  })
  if (sampleRateHertz !== recordingRateHertz) {
    const message = `recording: it has ${sampleRateHertz} Hz instead of ${recordingRateHertz} Hz, so it is not from a service of this kind`
    throw new ServiceError('INVALID_ARGUMENT', message)
  }
  const recorded = { ...cutRecording(samples), sample: 0 }
  return { request: { keepRecording: true, voiceSamples, langCode }, recorded }
}
