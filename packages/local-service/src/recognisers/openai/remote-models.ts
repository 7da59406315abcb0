import { withTimeLimit } from '../../concurrency/abort-signals.ts'
import type { TranscriptionServer } from './transcription-server.ts'

/** The models of a server that recognise speech, refreshed when they are requested and outdated. */
export interface ModelList {
  /** Never empty. If the list is outdated, this starts a refresh for later calls. */
  list(): readonly string[]
  /** Lists the models again. After a failure the known ones are kept; the promise never rejects. */
  refresh(): Promise<void>
  /** The server's name of a model. */
  nameOf(modelId: string): string
  close(): void
}

const timeoutMs = 5_000
const maxAgeMs = 60_000
const maxModels = 100

// Servers list language models and voices too, and hardly any of them states the kind.
const recogniserNames =
  /whisper|transcri|parakeet|canary|moonshine|sense-?voice|paraformer|voxtral|zipformer|(^|[^a-z])(asr|stt)([^a-z]|$)/i

/** Offered while no list is known: the server has none, as whisper.cpp, or does not respond. */
const unnamed = 'default'
// Servers without a list ignore the name; others use it as an alias of their model.
const nameOfUnnamed = 'whisper-1'

/** @param only the only model. Default: those that the server lists. */
export function createModelList(server: TranscriptionServer, only?: string): ModelList {
  const closing = new AbortController()
  let models: readonly string[] = [only ?? unnamed]
  let refreshedAtMs = Number.NEGATIVE_INFINITY

  const refresh = async () => {
    if (only) return
    refreshedAtMs = performance.now()
    try {
      const signal = withTimeLimit(timeoutMs, closing.signal)
      const listed = await server.listModels(signal)
      const recognisers = listed.filter((name) => {
        return recogniserNames.test(name) && !/realtime/i.test(name)
      })
      if (recognisers.length > 0) models = recognisers.slice(0, maxModels)
    } catch {
      // Requests report whether the server can be reached.
    }
  }

  return {
    list() {
      if (performance.now() - refreshedAtMs > maxAgeMs) void refresh()
      return models
    },
    refresh,
    nameOf(modelId) {
      const name = modelId.slice('upstream/'.length)
      return name === unnamed && name !== only ? nameOfUnnamed : name
    },
    close: () => closing.abort(),
  }
}
