import { toLangCode } from '@parlando/core/text'
import { z } from 'zod'
import type { DetectorModel } from '../wake-word-detector.ts'

/** A model as the server names it. */
export interface ServerModel extends DetectorModel {
  serverName: string
}

const modelSchema = z.looseObject({
  name: z.string().min(1),
  phrase: z.string().nullish().catch(undefined),
  description: z.string().nullish().catch(undefined),
  installed: z.boolean().nullish(),
  languages: z.array(z.string()).nullish().catch(undefined),
})
const programSchema = z.looseObject({
  installed: z.boolean().nullish(),
  models: z.array(modelSchema).nullish(),
})
const infoSchema = z.looseObject({ wake: z.array(programSchema).nullish() })

/** Reads the wake words in the description of a server. */
export function readModels(info: unknown): ServerModel[] {
  const programs = (infoSchema.parse(info).wake ?? []).filter(
    ({ installed }) => installed !== false,
  )
  const models = programs.flatMap((program) => program.models ?? [])
  return models
    .filter(({ installed }) => installed !== false)
    .map(({ name, phrase, description, languages }) => ({
      serverName: name,
      modelId: `wyoming/${name}`,
      displayName: description || name,
      langCodes: [...new Set((languages ?? []).map(toLangCode))].filter((code) => code !== 'AUTO'),
      // Names of openWakeWord end with a version: hey_jarvis_v0.1.
      phrases: [phrase || name.replace(/_v?[\d.]+$/, '').replaceAll('_', ' ')],
      isRough: false,
    }))
}
