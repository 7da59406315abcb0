import { languageOf } from '@parlando/core/text'
import type { Voice } from '@parlando/core/wire'
import { pageOfVoices } from '../../../voices/listing/voice-page.ts'
import type { Endpoint } from '../../endpoint.ts'
import { olderListOperation } from './operation.ts'

export const listVoicesInOlderForm: Endpoint = {
  operation: olderListOperation,
  createHandler:
    ({ catalogue }) =>
    (context) => {
      const { voices } = pageOfVoices(catalogue.list(), { filter: context.req.query('filter') })
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
