import type { Client } from '@parlando/core'
import type { EngineVoice } from '../engine.ts'

/** The voices of another service, refreshed when they are requested and outdated. */
export interface UpstreamVoices {
  /** The known voices. If they are outdated, this starts a refresh for later calls. */
  list(): readonly EngineVoice[]
  /** Lists the voices again. After a failure the known voices are kept; the promise never rejects. */
  refresh(): Promise<void>
  close(): void
}

const timeoutMs = 5_000
const maxAgeMs = 60_000
const maxVoices = 10_000

/** @param warn receives the reason if the voices cannot be listed. */
export function createUpstreamVoices(
  client: Client,
  warn: (reason: string) => void,
): UpstreamVoices {
  const closing = new AbortController()
  let voices: readonly EngineVoice[] = []
  let refreshedAtMs = Number.NEGATIVE_INFINITY

  const refresh = async (): Promise<void> => {
    refreshedAtMs = performance.now()
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    const listed: EngineVoice[] = []
    try {
      for await (const voice of client.listAllVoices({}, { signal })) {
        listed.push({ name: voice.voiceId, langCode: voice.langCode || 'AUTO', voice })
        if (listed.length === maxVoices) break
      }
      voices = listed
    } catch (error) {
      if (!closing.signal.aborted) warn((error as Error).message)
    }
  }

  return {
    list() {
      if (performance.now() - refreshedAtMs > maxAgeMs) void refresh()
      return voices
    },
    refresh,
    close: () => closing.abort(),
  }
}
