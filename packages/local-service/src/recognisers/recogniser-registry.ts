import { isSameLanguage } from '@parlando/core/text'
import { ServiceError } from '../errors/service-error.ts'
import { joinOptions } from '../part-registry/part-definition.ts'
import {
  closeParts,
  type PartKind,
  type PartStartOptions,
  refreshParts,
  startParts,
} from '../part-registry/running-parts.ts'
import { defaultRecogniserModelId } from '../requests/model-names.ts'
import { upstream } from './openai/openai-recogniser.ts'
import { pocketsphinx } from './pocketsphinx/pocketsphinx-recogniser.ts'
import type { Recogniser, RecogniserDefinition, RecogniserModel } from './recogniser.ts'
import { sherpa } from './sherpa/sherpa-recogniser.ts'
import { wyoming } from './wyoming/wyoming-recogniser.ts'

/**
 * Every recogniser, the preferred ones first: a request without a model gets the first one that has its language. The
 * options of the service, `--help` and the shared tests are derived from this list.
 */
const definitions = [sherpa, wyoming, upstream, pocketsphinx] as const

export const recogniserDefinitions: readonly RecogniserDefinition[] = definitions

/** The options of all recognisers. */
export const recogniserOptions = joinOptions(definitions)

/** The running recognisers by name, the preferred ones first. One that finds its first model later is added. */
export type RunningRecognisers = ReadonlyMap<string, Recogniser>

const kind: PartKind<Recogniser> = {
  definitions: recogniserDefinitions,
  close: (recogniser) => recogniser.close(),
}

/** Starts the recognisers that are configured and installed. One that does not start is reported and left out. */
export const startRecognisers = (options: PartStartOptions): Promise<Map<string, Recogniser>> =>
  startParts(kind, options)

/** Offers models that were installed since the start, and no longer those that were removed. */
export const refreshRecognisers = (
  recognisers: Map<string, Recogniser>,
  options: PartStartOptions,
): Promise<void> => refreshParts(kind, recognisers, options)

export const closeRecognisers = (recognisers: RunningRecognisers): Promise<void> =>
  closeParts(kind, recognisers)

/** The nodes pass it on to people who have never used a command line. */
const noRecogniser = [
  'No speech recogniser is installed. In Node-RED, click "Install a speech recogniser" in the form of a listen node.',
  'On a command line, run: parlando-local recognisers add kroko-en.',
  'On Debian, Ubuntu and Raspberry Pi OS, you can also run: sudo apt install pocketsphinx pocketsphinx-en-us',
].join(' ')

/** A model and the recogniser that it belongs to. */
export interface FoundModel {
  recogniser: Recogniser
  model: RecogniserModel
}

/** The models of all recognisers, the preferred ones first. */
export function listModels(recognisers: RunningRecognisers): FoundModel[] {
  return [...recognisers.values()].flatMap((recogniser) =>
    recogniser.models.map((model) => ({ recogniser, model })),
  )
}

interface NamedModels {
  recognisers: RunningRecognisers
  /** Other names of models. Default: none. */
  modelAliases?: ReadonlyMap<string, string>
}

/**
 * Finds the model of a request, by its name or by an alias. Without a name, or with the name of the hosted service's model, it is the first one for
 * the language.
 * @throws {ServiceError} if no recogniser is installed, or if the model or the language is unknown.
 */
export function findRecogniserModel(
  { recognisers, modelAliases }: NamedModels,
  wanted: { modelId?: string; language?: string },
): FoundModel {
  const { modelId: name, language } = wanted
  const modelId = name === undefined ? defaultRecogniserModelId : (modelAliases?.get(name) ?? name)
  const found = listModels(recognisers)
  if (found.length === 0) throw new ServiceError('UNIMPLEMENTED', noRecogniser)
  const isDefault = modelId === defaultRecogniserModelId
  const named = isDefault ? found : found.filter(({ model }) => model.modelId === modelId)
  if (named.length === 0) {
    const known = found.map(({ model }) => model.modelId).join(', ')
    throw new ServiceError(
      'NOT_FOUND',
      `Unknown recogniser model: ${modelId}. This service has ${known}`,
    )
  }
  const first = named.find(({ model }) => hasLanguage(model, language))
  if (first) return first
  const spoken = [...new Set(named.flatMap(({ model }) => model.langCodes))].join(', ')
  throw new ServiceError(
    'INVALID_ARGUMENT',
    `language: ${isDefault ? 'this service' : modelId} does not understand ${language}; known languages: ${spoken}`,
  )
}

/** Compares the languages only: a model for `EN_US` understands `en-GB`. */
function hasLanguage({ langCodes }: RecogniserModel, language: string | undefined): boolean {
  if (!language || /^auto$/i.test(language) || langCodes.length === 0) return true
  return langCodes.some((code) => isSameLanguage(code, language))
}
