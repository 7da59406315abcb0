import type { Call } from '../../http/call.ts'
import { parseResponse } from '../../http/parse-response.ts'
import { type TranscriptionModel, transcriptionModelListSchema } from '../../wire/transcription.ts'
import type { EndpointContext } from '../context.ts'

const what = 'Transcription model list'

/** The recognition models of the service, the preferred ones first. */
export interface TranscriptionModelList {
  /** Empty if no recogniser is installed. */
  models: TranscriptionModel[]
  requestId: string
}

/** `GET /stt/v1/models`: lists the recognition models. An extension of the local service. */
export async function listTranscriptionModels(
  { transport }: EndpointContext,
  _: undefined,
  call: Call,
): Promise<TranscriptionModelList> {
  const response = await transport.sendForJson(
    { what, method: 'GET', path: '/stt/v1/models' },
    call,
  )
  const { models } = parseResponse(transcriptionModelListSchema, response)
  return { models: models ?? [], requestId: response.requestId }
}
