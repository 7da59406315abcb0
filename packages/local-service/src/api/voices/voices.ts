import { languageOf } from '@parlando/core/text'
import {
  type Voice,
  type VoiceListRequest,
  voiceListRequestSchema,
  voiceListSchema,
  voiceSchema,
  voiceUpdateSchema,
} from '@parlando/core/wire'
import type { Context } from 'hono'
import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { camelCaseKeys } from '../../requests/camel-case.ts'
import { parseRequest, readValidBody } from '../../requests/parse-request.ts'
import { pageOfVoices } from '../../voices/listing/voice-page.ts'
import { type Endpoint, named, problem } from '../app/endpoint.ts'
import { findClone, findVoice, rejectLongTexts, toVoiceResource } from './voice-resource.ts'

export const listVoices: Endpoint = {
  operation: {
    method: 'get',
    path: '/voices/v1/voices',
    summary: 'Lists the voices, in pages if the request asks for them',
    key: 'basic',
    query: named('VoiceListRequest', voiceListRequestSchema),
    responses: { 'application/json': named('VoiceList', voiceListSchema) },
  },
  createHandler:
    ({ voiceList }) =>
    (context) => {
      const page = pageOfVoices(voiceList.list(), readQuery(context))
      const { problems } = voiceList
      const state = problems.length > 0 ? { problems } : {}
      return context.json({ ...page, voices: page.voices.map(toVoiceResource), ...state })
    },
}

/** An empty parameter counts as absent. */
function readQuery(context: Context): VoiceListRequest {
  const queries = camelCaseKeys(context.req.queries()) as Record<string, string[]>
  const given = Object.entries(queries).flatMap(([name, texts]) => {
    const values = texts.filter((text) => text !== '')
    return values.length > 0 ? [[name, parameterOf(name, values)]] : []
  })
  return parseRequest(context, voiceListRequestSchema, Object.fromEntries(given))
}

/** `languages` may be repeated; of any other parameter, the first one counts. */
function parameterOf(name: string, values: readonly string[]): unknown {
  if (name === 'languages') return values
  return name === 'pageSize' ? Number(values[0]) : values[0]
}

export const getVoice: Endpoint = {
  operation: {
    method: 'get',
    path: '/voices/v1/voices/{voiceId}',
    summary: 'Returns a voice',
    key: 'basic',
    responses: { 'application/json': named('Voice', voiceSchema) },
  },
  createHandler:
    ({ voiceList }) =>
    (context) =>
      context.json(toVoiceResource(findVoice(voiceList, context.req.param('voiceId') ?? '').voice)),
}

export const designVoice = unsupported(
  '/voices/v1/voices:design',
  'This service cannot design voices: choose one that GET /voices/v1/voices lists, or clone one with POST /voices/v1/voices:clone',
)

export const updateVoice: Endpoint = {
  operation: {
    method: 'patch',
    path: '/voices/v1/voices/{voiceId}',
    summary: 'Changes the texts of a cloned voice',
    key: 'basic',
    body: named('VoiceUpdate', voiceUpdateSchema),
    bodyExample: { displayName: 'Gran', description: 'Calm.', tags: ['family'] },
    responses: { 'application/json': named('Voice', voiceSchema) },
  },
  maxBodyBytes: 64 * 1024,
  createHandler:
    ({ voiceList }) =>
    async (context) => {
      const { voice } = findClone(voiceList, context.req.param('voiceId') ?? '')
      const update = await readValidBody(context, voiceUpdateSchema)
      const { clones } = voiceList
      const changed = await clones.change(voice.voiceId, update, rejectLongTexts)
      return context.json(toVoiceResource(changed))
    },
}

export const deleteVoice: Endpoint = {
  operation: {
    method: 'delete',
    path: '/voices/v1/voices/{voiceId}',
    summary: 'Deletes a cloned voice',
    key: 'basic',
    responses: { 'application/json': named('Nothing', z.object({})) },
  },
  createHandler:
    ({ voiceList }) =>
    async (context) => {
      const { voice } = findClone(voiceList, context.req.param('voiceId') ?? '')
      await voiceList.clones.remove(voice.voiceId)
      return context.json({})
    },
}

export const publishVoice = unsupported(
  '/voices/v1/voices/{voiceId}:publish',
  'There is nothing to publish here: a cloned voice stays until it is deleted, and PATCH changes its texts',
)

const olderVoice = z.object({
  voiceId: z.string(),
  displayName: z.string().nullish(),
  description: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  languages: z.array(z.string()),
  isCustom: z.boolean(),
})

export const listVoicesInOlderForm: Endpoint = {
  operation: {
    method: 'get',
    path: '/tts/v1/voices',
    summary: 'Lists the voices in an older format; deprecated',
    key: 'basic',
    query: named('OlderVoiceListQuery', z.object({ filter: z.string().optional() })),
    responses: {
      'application/json': named('OlderVoiceList', z.object({ voices: z.array(olderVoice) })),
    },
  },
  createHandler:
    ({ voiceList }) =>
    (context) => {
      const { voices } = pageOfVoices(voiceList.list(), { filter: context.req.query('filter') })
      return context.json({ voices: voices.map(toOlderVoice) })
    },
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

/** An endpoint of the protocol that only the hosted service has. @param message what to use instead. */
function unsupported(path: string, message: string): Endpoint {
  return {
    operation: {
      method: 'post',
      path,
      summary: 'Not supported by this service: responds with code 12, UNIMPLEMENTED',
      key: 'basic',
      responses: { 'application/json': problem },
      status: 501,
    },
    createHandler: () => () => {
      throw new ServiceError('UNIMPLEMENTED', message)
    },
  }
}
