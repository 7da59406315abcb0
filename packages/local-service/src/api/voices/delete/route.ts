import type { Endpoint } from '../../endpoint.ts'
import { findClone } from '../find-voice.ts'
import { deleteVoiceOperation } from './operation.ts'

export const deleteVoice: Endpoint = {
  operation: deleteVoiceOperation,
  createHandler:
    ({ catalogue }) =>
    async (context) => {
      const { voice } = findClone(catalogue, context.req.param('voiceId') ?? '')
      await catalogue.clones.remove(voice.voiceId)
      return context.json({})
    },
}
