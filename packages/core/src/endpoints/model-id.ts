import { defaultSpeechModelId, type SpeechModelId, speechRequestSchema } from '../wire/speech.ts'

/** The `modelId` of a request for speech: the protocol requires it, the client has a default. */
export const modelIdSchema = speechRequestSchema.shape.modelId.default(defaultSpeechModelId)

/** The request of the protocol, without the need for a `modelId`. */
export type WithDefaultModel<Request extends { modelId: string }> = Omit<Request, 'modelId'> & {
  /** The synthesis model: a known one or a later one. Default `svc-tts-2`. */
  modelId?: SpeechModelId | (string & {})
}
