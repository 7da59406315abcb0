import type { Client } from '@parlando/core'
import type { EngineVoice } from '../engine.ts'

/** The voices of another server, listed again now and then. */
export interface UpstreamVoices {
  /** What is known by now. Where that is old, looking at it asks the server again, for those who look later. */
  list(): readonly EngineVoice[]
  /** Resolves when the server has answered, or has failed to: what was known then stays. */
  refresh(): Promise<void>
  close(): void
}

const timeoutMs = 5_000
const maxAgeMs = 60_000
const maxVoices = 10_000

/** @param warn hears why they cannot be listed. */
export function createUpstreamVoices(
  client: Client,
  warn: (reason: string) => void,
): UpstreamVoices {
  const closing = new AbortController()
  let voices: readonly EngineVoice[] = []
  let askedAt = Number.NEGATIVE_INFINITY

  const refresh = async (): Promise<void> => {
    askedAt = performance.now()
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
      if (performance.now() - askedAt > maxAgeMs) void refresh()
      return voices
    },
    refresh,
    close: () => closing.abort(),
  }
}
