import { type Voice, type VoiceListRequest, voiceListRequestSchema } from '@parlando/core/wire'
import type { Context, Hono } from 'hono'
import { camelCaseKeys } from '../../../http/camel-case.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import type { ServiceContext } from '../../../speech/synthesis-request.ts'
import { languageOf } from '../../../voices/languages.ts'
import { pageOfVoices } from '../../../voices/listing/voice-page.ts'

/** `GET /voices/v1/voices`. */
export function addVoiceListRoutes(app: Hono, path: string, { catalogue }: ServiceContext): void {
  app.get(path, (context) => context.json(pageOfVoices(catalogue.list(), readQuery(context))))
}

/** `GET /tts/v1/voices`, deprecated: the older form of a voice, and no pages. */
export function addOlderVoiceListRoute(app: Hono, { catalogue }: ServiceContext): void {
  app.get('/tts/v1/voices', (context) => {
    const { voices } = pageOfVoices(catalogue.list(), { filter: context.req.query('filter') })
    return context.json({ voices: voices.map(toOlderVoice) })
  })
}

function readQuery(context: Context): VoiceListRequest {
  const queries = camelCaseKeys(context.req.queries()) as Record<string, string[]>
  const given = Object.entries(queries).flatMap(([name, texts]) => {
    // What is empty was not chosen.
    const values = texts.filter((text) => text !== '')
    return values.length > 0 ? [[name, parameterOf(name, values)]] : []
  })
  return parseRequest(voiceListRequestSchema, Object.fromEntries(given))
}

/** A parameter may come again and again; of all but the languages the first counts. */
function parameterOf(name: string, values: readonly string[]): unknown {
  if (name === 'languages') return values
  return name === 'pageSize' ? Number(values[0]) : values[0]
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
