import {
  defaultSpeechModelId,
  voicePreviewRequestSchema,
  voicePreviewSchema,
} from '@parlando/core/wire'
import { z } from 'zod'
import { camelCaseKeys } from '../../requests/camel-case.ts'
import { parseRequest } from '../../requests/parse-request.ts'
import { collectSpeech } from '../../speaking/speech-result.ts'
import { createSynthesisRequest, type ServiceContext } from '../../speaking/synthesis-request.ts'
import type { SpeakingVoice } from '../../voices/speaking-voice.ts'
import { type Endpoint, named } from '../app/endpoint.ts'
import { synthesizeMeasured } from '../app/measured-speech.ts'
import { findVoice } from './voice-resource.ts'

const query = z.object({ voice_id: z.string(), model_id: z.string().optional() })

const maxTextCharacters = 200
const maxNameCharacters = 60
// The schema reports an empty voiceId as a missing one.
const defaults = { voiceId: '', modelId: defaultSpeechModelId }
// Markup cannot be escaped in a text, and a name sounds the same without these characters.
const markupCharacters = /[<>[\]/]/g

export const previewVoice: Endpoint = {
  operation: {
    method: 'get',
    path: '/tts/v1/voice:preview',
    summary: 'Returns an MP3 in which a voice introduces itself',
    key: 'basic',
    query: named('VoicePreviewQuery', query),
    responses: { 'application/json': named('VoicePreview', voicePreviewSchema) },
  },
  createHandler: (service) => async (context) => {
    const given = camelCaseKeys(context.req.query()) as object
    const request = parseRequest(context, voicePreviewRequestSchema, { ...defaults, ...given })
    const { voiceId, modelId = defaults.modelId } = request
    // A clone has a short name, too.
    const found = findVoice(service.voiceList, voiceId)
    const text = introduction(found, service)
    const speech = { text, voiceId: found.voice.voiceId, modelId }
    const synthesis = createSynthesisRequest(speech, service, { maxTextCharacters })
    const { audio } = await collectSpeech(
      synthesizeMeasured(context, synthesis, context.req.raw.signal),
    )
    return context.json({ audioContent: audio.toString('base64') })
  },
}

/** Leaves out a name that is too long or that the voice cannot speak. */
function introduction(
  { voice, engine, engineVoice }: SpeakingVoice,
  { engines }: ServiceContext,
): string {
  const name = (voice.displayName ?? '').replace(markupCharacters, ' ')
  const canSpeak = !engines.get(engine)?.engine.unsupportedReason(name, engineVoice)
  if (name.length > maxNameCharacters || !canSpeak) return 'Hello. This is how I sound.'
  return `Hello, my name is ${name}. This is how I sound.`
}
