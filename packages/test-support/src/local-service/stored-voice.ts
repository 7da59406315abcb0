import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A cloned voice as the first version stored it. */
const voice = {
  voiceId: 'local__grandma-3f9a1c2b4d5e',
  name: 'workspaces/local/voices/local__grandma-3f9a1c2b4d5e',
  displayName: 'Grandma',
  langCode: 'EN_US',
  tags: ['family'],
  source: 'IVC',
  createTime: '2026-01-02T03:04:05.678Z',
}

/** A cloned voice from an earlier run of the service, as the service returns it. */
export const storedVoice = {
  ...voice,
  name: 'workspaces/local/voices/grandma-3f9a1c2b4d5e',
  description: '',
  gender: '',
  ageGroup: '',
  categories: [],
  promptLanguages: [],
}

/** The file format of the first version. Later versions must be able to read it. */
const content = {
  parlandoVoice: 1,
  voice,
  engine: 'flite',
  engineVoice: 'rms',
  imprint: {
    version: 1,
    pitch: { medianHertz: 131.7, rangeSemitones: 7.25 },
    envelopeDecibels: Array.from({ length: 128 }, (_, band) => 12.7 - band / 5),
    formantsHertz: [512.5, 1480, 2510.25, 3490],
    syllablesPerSecond: 4.1,
    level: 0.08,
  },
}

/** Creates a data folder with a voice from an earlier run of the service. It is deleted after the test. @returns its path. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-voices-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  storeVoice(folder)
  return folder
}

/** Writes the voice to an empty data folder. */
export function storeVoice(dataFolder: string): void {
  mkdirSync(join(dataFolder, 'voices'), { recursive: true })
  const path = join(dataFolder, 'voices', `${storedVoice.voiceId}.json`)
  writeFileSync(path, JSON.stringify(content))
}
