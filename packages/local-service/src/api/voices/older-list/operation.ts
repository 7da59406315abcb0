import { z } from 'zod'
import { named, type Operation } from '../../operation.ts'

const olderVoice = z.object({
  voiceId: z.string(),
  displayName: z.string().nullish(),
  description: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  languages: z.array(z.string()),
  isCustom: z.boolean(),
})

export const olderListOperation: Operation = {
  method: 'get',
  path: '/tts/v1/voices',
  summary: 'Lists the voices in an older format; deprecated',
  key: 'basic',
  query: named('OlderVoiceListQuery', z.object({ filter: z.string().optional() })),
  responses: {
    'application/json': named('OlderVoiceList', z.object({ voices: z.array(olderVoice) })),
  },
}
