import { totalmem } from 'node:os'
import { languageOf } from '@parlando/core/text'
import { findMachineClass, type MachineClass, machineClasses } from '../../machine/machine-class.ts'
import { formatBytes } from '../../machine/resources.ts'
import { machineProblem } from '../sherpa/find-sherpa.ts'
import { type CatalogueEntry, downloadBytes, isHibari } from './catalogue.ts'
import { ModelError } from './model-error.ts'

/** What matters to models. */
export interface Machine {
  speed: MachineClass
  memoryBytes: number
  /** Why sherpa-onnx does not run on this machine. */
  unsupported?: string
}

export async function describeMachine(): Promise<Machine> {
  return {
    speed: await findMachineClass(),
    memoryBytes: totalmem(),
    unsupported: machineProblem(),
  }
}

/** The memory of a thread with a voice of hibari, as measured. */
const hibariBytes = 65_000_000

/** An estimate. Others report 400 to 520 MB for a voice of Piper with a download of 67 MB. */
export function memoryEstimate(entry: CatalogueEntry): number {
  if (isHibari(entry)) return hibariBytes
  return 300_000_000 + 3 * downloadBytes(entry)
}

/** Whether a machine is likely to be fast and large enough for a model. */
export type Fit = 'good' | 'slow' | 'too-large' | 'unsupported'

export function fitOf(entry: CatalogueEntry, machine: Machine): Fit {
  if (machine.unsupported && !isHibari(entry)) return 'unsupported'
  if (memoryEstimate(entry) > machine.memoryBytes * 0.8) return 'too-large'
  const rank = (speed: MachineClass) => machineClasses.indexOf(speed)
  return rank(entry.machine) > rank(machine.speed) ? 'slow' : 'good'
}

/** @returns why a model is not likely to work well on the machine; `undefined` if it is. */
export function misfit(entry: CatalogueEntry, machine: Machine): string | undefined {
  const reasons: Record<Fit, string | undefined> = {
    good: undefined,
    slow: 'may be too slow on this machine',
    'too-large': `needs about ${formatBytes(memoryEstimate(entry))} of memory`,
    unsupported: machine.unsupported,
  }
  return reasons[fitOf(entry, machine)]
}

/**
 * Chooses voices for the alias `natural`: one model for all the languages if the machine is fast enough for it, otherwise a
 * small one for each. Several languages can have the same one.
 * @param languages such as `de` or `pt-BR`.
 * @throws {ModelError} if no voice of the catalogue fits.
 */
export function pickNatural(
  entries: readonly CatalogueEntry[],
  machine: Machine,
  languages: readonly string[],
): CatalogueEntry[] {
  const candidates = entries.filter((entry) => entry.isNatural && !misfit(entry, machine))
  const speaks = (entry: CatalogueEntry, language: string) =>
    entry.languages.some((each) => languageOf(each) === languageOf(language))
  const one = candidates.find((entry) => languages.every((language) => speaks(entry, language)))
  if (one) return [one]
  const chosen = languages.map((language) => {
    const found = candidates.find((entry) => speaks(entry, language))
    if (found) return found
    throw new ModelError(
      'UNKNOWN_MODEL',
      machine.unsupported ??
        `No voice of the catalogue speaks ${language} and fits this machine. List all: parlando-local voices`,
    )
  })
  return [...new Set(chosen)]
}
