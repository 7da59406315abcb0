import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import { onAbort } from '../../concurrency/tasks.ts'
import { describeServer } from '../../remote/wyoming/open-connection.ts'
import type { WyomingConnection } from '../../remote/wyoming/wyoming-connection.ts'
import type { RecogniserModel } from '../recogniser.ts'

/** A recogniser of a Wyoming server. */
export interface WyomingProgram extends RecogniserModel {
  /** In the spelling of the server. */
  languages: readonly string[]
}

/** The recognisers of a Wyoming server, refreshed when they are requested and outdated. */
export interface ProgramList {
  /** The known ones. If they are outdated, this starts a refresh for later calls. */
  list(): readonly WyomingProgram[]
  find(modelId: string): WyomingProgram | undefined
  /** Lists them again. After a failure the known ones are kept; the promise never rejects. */
  refresh(): Promise<void>
  close(): void
}

const timeoutMs = 5_000
const maxAgeMs = 60_000

const languagesSchema = z.array(z.string()).nullish().catch(undefined)
const modelSchema = z.looseObject({
  installed: z.boolean().nullish(),
  languages: languagesSchema,
})
const programSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  installed: z.boolean().nullish(),
  models: z.array(modelSchema).nullish(),
  supports_transcript_streaming: z.boolean().nullish().catch(undefined),
})
const infoSchema = z.looseObject({ asr: z.array(programSchema).nullish() })

/** @param warn receives the reason if the programs cannot be listed. */
export function createProgramList(
  open: (signal: AbortSignal) => Promise<WyomingConnection>,
  warn: (reason: string) => void,
): ProgramList {
  const closing = new AbortController()
  let programs: readonly WyomingProgram[] = []
  let refreshedAtMs = Number.NEGATIVE_INFINITY

  const refresh = async () => {
    refreshedAtMs = performance.now()
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const connection = await open(signal)
      onAbort(signal, connection.destroy)
      programs = await readPrograms(connection).finally(connection.destroy)
    } catch (error) {
      if (!closing.signal.aborted) warn((error as Error).message)
    }
  }

  return {
    list() {
      if (performance.now() - refreshedAtMs > maxAgeMs) void refresh()
      return programs
    },
    find: (wanted) => programs.find(({ modelId }) => modelId === wanted),
    refresh,
    close: () => closing.abort(),
  }
}

async function readPrograms(connection: WyomingConnection): Promise<WyomingProgram[]> {
  const { asr } = infoSchema.parse(await describeServer(connection))
  return (asr ?? []).filter(({ installed }) => installed !== false).map(toProgram)
}

function toProgram({
  name,
  description,
  models,
  ...program
}: z.infer<typeof programSchema>): WyomingProgram {
  const installed = (models ?? []).filter((model) => model.installed !== false)
  const languages = [...new Set(installed.flatMap((model) => model.languages ?? []))]
  return {
    modelId: `wyoming/${name}`,
    displayName: description || name,
    langCodes: [...new Set(languages.map(toLangCode))].filter((code) => code !== 'AUTO'),
    hasInterimResults: program.supports_transcript_streaming === true,
    timesWords: false,
    matchesSentences: false,
    languages,
  }
}
