import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import type { RecogniserModel } from '../recogniser.ts'

/** A recogniser of a Wyoming server. */
export interface WyomingProgram extends RecogniserModel {
  /** Its languages, in the spelling of the server. */
  languages: readonly string[]
}

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

/** Reads the recognisers in the description of a server. */
export function readPrograms(info: unknown): WyomingProgram[] {
  const { asr } = infoSchema.parse(info)
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
