import {
  camelCaseKeys,
  type Voice,
  type VoiceListRequest,
  voiceListRequestSchema,
} from '@parlando/core/wire'
import type { Context, Hono } from 'hono'
import { parseRequest } from '../parse-request.ts'
import type { SpeechMenu } from '../speech/speech-order.ts'
import { languageOf } from '../voices/languages.ts'
import { pageOfVoices } from '../voices/voice-page.ts'

/** `GET /voices/v1/voices`. */
export function addVoiceListRoutes(app: Hono, path: string, { catalogue }: SpeechMenu): void {
  app.get(path, (context) => context.json(pageOfVoices(catalogue.list(), readQuery(context))))
}

/** `GET /tts/v1/voices`, deprecated: the older form of a voice, and no pages. */
export function addOlderVoiceListRoute(app: Hono, { catalogue }: SpeechMenu): void {
  app.get('/tts/v1/voices', (context) => {
    const { voices } = pageOfVoices(catalogue.list(), { filter: context.req.query('filter') })
    return context.json({ voices: voices.map(toOlderVoice) })
  })
}

function readQuery(context: Context): VoiceListRequest {
  // What is empty was not chosen.
  const given = Object.entries(context.req.queries()).flatMap(([name, texts]) => {
    const values = texts.filter((text) => text !== '')
    return values.length > 0 ? [[name, values] as const] : []
  })
  const { languages, pageSize, ...rest } = camelCaseKeys(Object.fromEntries(given)) as Record<
    string,
    string[]
  >
  const texts = Object.entries(rest).map(([name, [text]]) => [name, text])
  return parseRequest(voiceListRequestSchema, {
    ...Object.fromEntries(texts),
    languages,
    pageSize: pageSize && Number(pageSize[0]),
  })
}

function toOlderVoice({ voiceId, displayName, description, tags, langCode, source }: Voice) {
  return {
    languages: [languageOf(langCode ?? '')],
    voiceId,
    displayName,
    description,
    tags,
    isCustom: source !== 'SYSTEM',
  }
}
