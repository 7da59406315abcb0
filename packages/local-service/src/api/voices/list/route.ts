import { type VoiceListRequest, voiceListRequestSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { camelCaseKeys } from '../../../http/camel-case.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import { pageOfVoices } from '../../../voices/listing/voice-page.ts'
import type { Endpoint } from '../../endpoint.ts'
import { toVoiceResource } from '../voice-resource.ts'
import { listVoicesOperation } from './operation.ts'

export const listVoices: Endpoint = {
  operation: listVoicesOperation,
  createHandler:
    ({ catalogue }) =>
    (context) => {
      const page = pageOfVoices(catalogue.list(), readQuery(context))
      const { problems } = catalogue
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
