import { operationSchema, speechBatchSchema } from '@parlando/core/wire'
import { ServiceError } from '../../errors/service-error.ts'
import { camelCaseKeys } from '../../requests/camel-case.ts'
import { parseRequest } from '../../requests/parse-request.ts'
import { parseBody, readBody } from '../../requests/read-json.ts'
import { callerOf } from '../../server/admission/caller.ts'
import { type Endpoint, named } from '../app/endpoint.ts'
import { idempotencyKeyHeader, readIdempotencyKey } from './idempotency-key.ts'
import { reportSubmitted } from './operations.ts'

const maxBodyBytes = 8 * 1024 * 1024
/** Each text has some ten values. */
const maxValues = 200_000
const maxCharacters = 1_000_000

export const synthesizeBatch: Endpoint = {
  operation: {
    method: 'post',
    path: '/tts/v1/voice:synthesizeBatch',
    summary: 'Begins to speak many texts, each into a file; returns an operation',
    key: 'basic',
    headers: idempotencyKeyHeader,
    body: named('SpeechBatch', speechBatchSchema),
    bodyExample: {
      items: [
        {
          customId: 'door',
          request: { text: 'The door is open.', voiceId: 'Kit', modelId: 'svc-tts-2-flash' },
        },
      ],
    },
    responses: { 'application/json': named('Operation', operationSchema) },
  },
  maxBodyBytes,
  createHandler({ jobs }) {
    if (!jobs) return undefined
    return async (context) => {
      const json = await parseBody(await readBody(context), 'The body', maxValues)
      const { items } = parseRequest(context, speechBatchSchema, camelCaseKeys(json))
      const characters = items.reduce((sum, { request }) => sum + request.text.length, 0)
      if (characters > maxCharacters) {
        const message = `items: the texts have ${characters} characters together; the limit is ${maxCharacters}`
        throw new ServiceError('INVALID_ARGUMENT', message)
      }
      const job = await jobs.submit({
        kind: 'batch',
        items,
        caller: callerOf(context),
        idempotencyKey: readIdempotencyKey(context),
      })
      return context.json(await reportSubmitted(context, jobs, job))
    }
  },
}
