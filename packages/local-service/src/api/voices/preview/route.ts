import { voicePreviewRequestSchema } from '@parlando/core/wire'
import type { Hono } from 'hono'
import { camelCaseKeys } from '../../../http/camel-case.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import { readSynthesisRequest, type ServiceContext } from '../../../speech/synthesis-request.ts'
import type { SpeakingVoice } from '../../../voices/voice.ts'
import { speak } from '../../speech/speak.ts'
import { findVoice } from '../one/route.ts'

const maxTextCharacters = 200
// Without a voice the schema says that there is none.
const defaults = { voiceId: '', modelId: 'svc-tts-2' }
// There is no way to write them so that they are text, and a name is spoken as well without.
const markupCharacters = /[<>[\]/]/g

/** `GET /tts/v1/voice:preview`: the voice says who it is, as MP3. */
export function addPreviewRoute(app: Hono, service: ServiceContext): void {
  app.get('/tts/v1/voice:preview', async (context) => {
    const given = camelCaseKeys(context.req.query()) as object
    const request = parseRequest(voicePreviewRequestSchema, { ...defaults, ...given })
    const text = introduction(findVoice(service.catalogue, request.voiceId), service)
    const synthesis = readSynthesisRequest({ ...request, text }, service, maxTextCharacters)
    const chunks: Uint8Array[] = []
    const spoken = speak(context, synthesis, context.req.raw.signal)
    for await (const { audio } of spoken) chunks.push(audio)
    return context.json({ audioContent: Buffer.concat(chunks).toString('base64') })
  })
}

/** Leaves out a name that the voice cannot say. */
function introduction(
  { voice, engine, engineVoice }: SpeakingVoice,
  { engines }: ServiceContext,
): string {
  const name = (voice.displayName ?? '').replace(markupCharacters, ' ')
  const withName = `Hello, my name is ${name}. This is how I sound.`
  const isFit =
    name.length <= 60 && !engines.get(engine)?.engine.unsupportedReason(name, engineVoice)
  return isFit ? withName : 'Hello. This is how I sound.'
}
