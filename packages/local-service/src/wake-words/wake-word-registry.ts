import { ServiceError } from '../errors/service-error.ts'
import { joinOptions } from '../part-registry/part-definition.ts'
import {
  closeParts,
  type PartKind,
  type PartStartOptions,
  refreshParts,
  startParts,
} from '../part-registry/running-parts.ts'
import { microwakeword } from './microwakeword/microwakeword-detector.ts'
import { openwakeword } from './openwakeword/openwakeword-detector.ts'
import { pocketsphinx } from './pocketsphinx/pocketsphinx-detector.ts'
import { sherpa } from './sherpa/sherpa-detector.ts'
import type { DetectorModel, WakeWordDefinition, WakeWordDetector } from './wake-word-detector.ts'
import { wyoming } from './wyoming/wyoming-detector.ts'

/**
 * Every detector, the preferred ones first: a request without a model gets the first one that finds its phrases. The options
 * of the service, `--help` and the shared tests are derived from this list.
 */
const definitions = [wyoming, microwakeword, openwakeword, sherpa, pocketsphinx] as const

export const wakeWordDefinitions: readonly WakeWordDefinition[] = definitions

/** The options of all detectors. */
export const wakeWordOptions = joinOptions(definitions)

/** The running detectors by name, the preferred ones first. */
export type RunningWakeWordDetectors = ReadonlyMap<string, WakeWordDetector>

const kind: PartKind<WakeWordDetector> = {
  definitions: wakeWordDefinitions,
  close: (detector) => detector.close(),
}

/** Starts the detectors that are configured and installed. One that does not start is reported and left out. */
export const startWakeWordDetectors = (
  options: PartStartOptions,
): Promise<Map<string, WakeWordDetector>> => startParts(kind, options)

/** Offers models that were installed since the start, and no longer those that were removed. */
export const refreshWakeWordDetectors = (
  detectors: Map<string, WakeWordDetector>,
  options: PartStartOptions,
): Promise<void> => refreshParts(kind, detectors, options)

export const closeWakeWordDetectors = (detectors: RunningWakeWordDetectors): Promise<void> =>
  closeParts(kind, detectors)

const install =
  'install a wake word model: in Node-RED, with the link below the detector in the form of a microphone; on a command line, with parlando-local wake-words add gigaspeech. Or, on Debian, Ubuntu and Raspberry Pi OS, install a rough one: sudo apt install pocketsphinx pocketsphinx-en-us'
const noDetector = `No wake word detector is installed. For the four built-in words, install @parlando/voices. For any English phrase, ${install}`

/** A model and the detector that it belongs to. */
export interface FoundWakeWordModel {
  detector: WakeWordDetector
  model: DetectorModel
}

/** The models of all detectors, the preferred ones first. */
export function listWakeWordModels(detectors: RunningWakeWordDetectors): FoundWakeWordModel[] {
  return [...detectors.values()].flatMap((detector) =>
    detector.models.map((model) => ({ detector, model })),
  )
}

/**
 * Finds the model of a request. Without a name, it is the first one that finds all phrases.
 * @returns the model, and the phrases in its spelling. Without phrases in the request, they are those of the model.
 * @throws {ServiceError} if no detector is installed, or if the model is unknown or does not find the phrases.
 */
export function findWakeWordModel(
  detectors: RunningWakeWordDetectors,
  { modelId, phrases = [] }: { modelId?: string; phrases?: readonly string[] },
): FoundWakeWordModel & { phrases: readonly string[] } {
  const all = listWakeWordModels(detectors)
  if (all.length === 0) throw new ServiceError('UNIMPLEMENTED', noDetector)
  const named = modelId ? all.filter(({ model }) => model.modelId === modelId) : all
  if (named.length === 0) {
    const known = all.map(({ model }) => model.modelId).join(', ')
    const message = `Unknown wake word model: ${modelId}. This service has ${known}`
    throw new ServiceError('NOT_FOUND', message)
  }
  for (const found of named) {
    const spelt = spellAs(found.model, phrases)
    if (spelt) return { ...found, phrases: spelt }
  }
  const possible = [...new Set(named.flatMap(({ model }) => model.phrases ?? []))]
  const message = possible.length
    ? `phrases: ${modelId ?? 'this service'} finds only these: ${possible.join(', ')}. For others, ${install}`
    : 'phrases: name at least one'
  throw new ServiceError('INVALID_ARGUMENT', message)
}

/** @returns the phrases as the model spells them; undefined if it does not find all of them. */
function spellAs(model: DetectorModel, phrases: readonly string[]): string[] | undefined {
  const { phrases: own } = model
  if (phrases.length === 0) return own?.slice(0)
  if (!own) return [...phrases]
  const spelt = phrases.map((phrase) => own.find((each) => toWords(each) === toWords(phrase)))
  return spelt.every((phrase) => phrase !== undefined) ? spelt : undefined
}

/** `Hey, Jarvis!` and `hey_jarvis` are the same words. */
export function toWords(phrase: string): string {
  return (phrase.toLowerCase().match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? []).join(' ')
}
