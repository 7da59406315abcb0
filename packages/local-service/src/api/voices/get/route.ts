import type { Endpoint } from '../../endpoint.ts'
import { findVoice } from '../find-voice.ts'
import { toVoiceResource } from '../voice-resource.ts'
import { getVoiceOperation } from './operation.ts'

export const getVoice: Endpoint = {
  operation: getVoiceOperation,
  createHandler:
    ({ catalogue }) =>
    (context) =>
      context.json(toVoiceResource(findVoice(catalogue, context.req.param('voiceId') ?? '').voice)),
}
