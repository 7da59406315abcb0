import { voiceUpdateSchema } from '@parlando/core/wire'
import { camelCaseKeys } from '../../../http/camel-case.ts'
import { parseRequest } from '../../../http/parse-request.ts'
import { readJsonBody } from '../../../http/read-json.ts'
import type { Endpoint } from '../../endpoint.ts'
import { findClone, rejectLongTexts } from '../find-voice.ts'
import { toVoiceResource } from '../voice-resource.ts'
import { updateVoiceOperation } from './operation.ts'

export const updateVoice: Endpoint = {
  operation: updateVoiceOperation,
  maxBodyBytes: 64 * 1024,
  createHandler:
    ({ catalogue }) =>
    async (context) => {
      const { voice } = findClone(catalogue, context.req.param('voiceId') ?? '')
      const update = parseRequest(
        context,
        voiceUpdateSchema,
        camelCaseKeys(await readJsonBody(context)),
      )
      rejectLongTexts(update)
      return context.json(toVoiceResource(await catalogue.clones.change(voice.voiceId, update)))
    },
}
