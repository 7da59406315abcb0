import type { Client } from '@parlando/core'
import type { EngineVoice } from '../engine.ts'
import { createRemoteVoices, maxVoices, type RemoteVoices } from '../remote/remote-voices.ts'

/**
 * The voices of another service, under their own ids.
 * @param warn receives each new reason why they cannot be listed.
 */
export function createUpstreamVoices(
  client: Client,
  baseUrl: string,
  warn: (reason: string) => void,
): RemoteVoices<EngineVoice> {
  return createRemoteVoices({
    subject: `The upstream service, ${baseUrl},`,
    warn,
    async read(signal) {
      const listed: EngineVoice[] = []
      try {
        for await (const voice of client.listAllVoices({}, { signal })) {
          listed.push({ name: voice.voiceId, langCode: voice.langCode || 'AUTO', voice })
          if (listed.length === maxVoices) break
        }
      } catch (error) {
        const { message } = error as Error
        throw new Error(`The voices of ${baseUrl} cannot be listed. ${message}`, { cause: error })
      }
      return listed
    },
  })
}
