import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineClass } from '../../machine/machine-class.ts'

const mebibyte = 1024 ** 2
/** What a thread takes, and as much again for the rest of the machine. */
const neededBytes = 180 * mebibyte
const maxSecondsPerSecond = 0.5
const fileName = 'natural-voices.json'
const attempts = 3

/** What decides whether a machine speaks well with a natural voice. */
export interface MachineOfVoice {
  freeBytes: number
  speed: MachineClass
  /** Where the measure is kept. Without it, nothing is measured. */
  dataFolder?: string | undefined
  /** Speaks a sentence. @returns how many seconds each second of speech took. */
  measure(): Promise<number>
}

/**
 * Why natural voices are not the default ones of a machine, as a sentence. Only machines of the slowest class are measured, once:
 * all others are at least five times as fast as needed.
 */
export async function findUnfitReason(machine: MachineOfVoice): Promise<string | undefined> {
  const { freeBytes, speed, dataFolder } = machine
  if (freeBytes < neededBytes) {
    const [free, needed] = [freeBytes, neededBytes].map((bytes) => Math.round(bytes / mebibyte))
    return `This machine has too little free memory for it to be the default voice: ${free} MiB, of ${needed} that it needs`
  }
  if (speed !== 'pi4' || !dataFolder) return undefined
  const took = (await readMeasure(dataFolder)) ?? (await measureOnce(machine, dataFolder))
  if (!Number.isFinite(took))
    return 'This machine could not speak with it, so it is not the default voice'
  if (took <= maxSecondsPerSecond) return undefined
  return `This machine is too slow for it to be the default voice: a second of speech takes ${took.toFixed(1)} s`
}

async function readMeasure(dataFolder: string): Promise<number | undefined> {
  try {
    const { secondsPerSecond } = JSON.parse(await readFile(join(dataFolder, fileName), 'utf8'))
    return typeof secondsPerSecond === 'number' ? secondsPerSecond : undefined
  } catch {
    return undefined
  }
}

/** Takes the best of a few attempts: the first one includes the start of a thread, and a machine is busy at its own start. */
async function measureOnce({ measure }: MachineOfVoice, dataFolder: string): Promise<number> {
  let secondsPerSecond = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts && secondsPerSecond > maxSecondsPerSecond; attempt++) {
    // A thread that fails must not keep the other voices from speaking.
    const took = await measure().catch(() => Number.POSITIVE_INFINITY)
    secondsPerSecond = Math.min(secondsPerSecond, took)
  }
  if (!Number.isFinite(secondsPerSecond)) return secondsPerSecond
  // Without write access, each start measures.
  await mkdir(dataFolder, { recursive: true })
    .then(() => writeFile(join(dataFolder, fileName), JSON.stringify({ secondsPerSecond })))
    .catch(() => {})
  return secondsPerSecond
}
