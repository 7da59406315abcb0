import { operationSchema, type SpeechRequest, speechRequestSchema } from '@parlando/core/wire'
import type { Context } from 'hono'
import { maxJobTextCharacters } from '../../jobs/run-job.ts'
import { readValidBody } from '../../requests/parse-request.ts'
import { callerOf } from '../../server/admission/caller.ts'
import { reportWarnings } from '../../server/observability/observe.ts'
import { createSynthesisRequest } from '../../speaking/synthesis-request.ts'
import { type Endpoint, named } from '../app/endpoint.ts'
import { idempotencyKeyHeader, readIdempotencyKey } from './idempotency-key.ts'
import { reportSubmitted } from './operations.ts'

const maxBodyBytes = 1024 * 1024

export const synthesizeAsync: Endpoint = {
  operation: {
    method: 'post',
    path: '/tts/v1/voice:synthesizeAsync',
    summary:
      'Begins to speak a long text; returns an operation that later has the address of the audio',
    key: 'basic',
    headers: idempotencyKeyHeader,
    body: named('SpeechRequest', speechRequestSchema),
    bodyExample: {
      text: 'Chapter one. It was a dark night.',
      voiceId: 'Kit',
      modelId: 'svc-tts-2-flash',
    },
    responses: { 'application/json': named('Operation', operationSchema) },
  },
  maxBodyBytes,
  createHandler({ jobs, ...service }) {
    if (!jobs) return undefined
    return async (context: Context) => {
      const request: SpeechRequest = await readValidBody(context, speechRequestSchema)
      // A mistake in the request is an error now, not after the texts before this one.
      const { warnings } = createSynthesisRequest(request, service, {
        maxTextCharacters: maxJobTextCharacters,
      })
      reportWarnings(context, warnings)
      const job = await jobs.submit({
        kind: 'speech',
        items: [{ request }],
        caller: callerOf(context),
        idempotencyKey: readIdempotencyKey(context),
      })
      return context.json(await reportSubmitted(context, jobs, job))
    }
  },
}
