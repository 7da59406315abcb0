import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { classOf, machineClasses } from '../../machine/machine-class.ts'
import { modelKind } from '../sherpa/model-kind.ts'
import { catalogue, findEntry, isConfirmed } from './catalogue.ts'
import { type Machine, misfit, pickNatural } from './machine-fit.ts'

const file = z.strictObject({
  bytes: z.int().positive(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  isConfirmed: z.boolean(),
  urls: z.array(z.url({ protocol: /^https$/ })).min(1),
})

const entry = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  kind: z.enum(['voice', 'recogniser', 'wake-word']),
  folder: z.string().regex(/^[\w.-]+$/),
  displayName: z.string().min(1),
  family: z.string().min(1),
  languages: z.array(z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)).min(1),
  langCode: z
    .string()
    .regex(/^[A-Z]{2}_[A-Z]{2}$/)
    .optional(),
  summary: z.string().min(1).max(80),
  machine: z.enum(machineClasses),
  isNatural: z.literal(true).optional(),
  installedBytes: z.int().positive().optional(),
  licence: z.strictObject({
    name: z.string().min(1),
    url: z.url({ protocol: /^https$/ }),
    commercialUse: z.enum(['yes', 'no', 'unclear']),
    notice: z.string().optional(),
  }),
  sources: z
    .array(
      z.union([
        z.strictObject({ archive: file }),
        z.strictObject({
          files: z.array(file.extend({ path: z.string().regex(/^[\w.-]+$/) })).min(1),
        }),
      ]),
    )
    .min(1),
  checkedOn: z.iso.date().nullable(),
})

const voices = catalogue.filter(({ kind }) => kind === 'voice')
const recognisers = catalogue.filter(({ kind }) => kind === 'recogniser')

describe('the catalogue', () => {
  it.each(catalogue.map((each) => [each.name, each]))('describes %s completely', (_name, each) => {
    entry.parse(each)
    // A checksum is one of two: published by two projects, or marked as published by one.
    if (isConfirmed(each)) expect(JSON.stringify(each)).not.toContain('"isConfirmed":false')
  })

  it('has at least 12 voices in 8 languages, and 6 recognisers', () => {
    expect(voices.length).toBeGreaterThanOrEqual(12)
    const piper = voices.filter(({ family }) => family === 'piper')
    const languages = new Set(
      piper.flatMap((each) => each.languages.map((code) => code.slice(0, 2))),
    )
    expect(languages.size).toBeGreaterThanOrEqual(8)
    expect(recognisers.length).toBeGreaterThanOrEqual(6)
  })

  it('has each name and each folder once', () => {
    for (const key of ['name', 'folder'] as const) {
      const values = catalogue.map((each) => each[key])
      expect(new Set(values).size).toBe(values.length)
    }
  })

  it('names the recognisers as the service recognises them', () => {
    for (const { folder } of recognisers) {
      const names = ['encoder.onnx', 'decoder.onnx', 'tokens.txt']
      expect(modelKind(folder, names), folder).toBe('recogniser')
    }
  })

  it('names the wake word models as the service recognises them', () => {
    const wakeWords = catalogue.filter(({ kind }) => kind === 'wake-word')
    expect(wakeWords.length).toBeGreaterThan(0)
    for (const { folder } of wakeWords) {
      const names = ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt']
      expect(modelKind(folder, names), folder).toBe('wake-word')
    }
  })

  it('never chooses a voice that is known to be trained on research recordings', () => {
    for (const { isNatural, licence } of voices) {
      if (isNatural)
        expect(licence.notice).not.toContain('Its model card says that it was trained on top')
    }
  })
})

describe('findEntry', () => {
  it('finds a model by its name and by its folder', () => {
    expect(findEntry('voice', 'thorsten').folder).toBe('vits-piper-de_DE-thorsten-high')
    expect(findEntry('voice', 'vits-piper-de_DE-thorsten-high').name).toBe('thorsten')
  })

  it('lists the known names for an unknown one', () => {
    const find = () => findEntry('recogniser', 'thorsten')
    expect(find).toThrow(/^Unknown recogniser: thorsten\. The catalogue has kroko-en, /)
  })
})

const machine: Machine = { speed: 'pi5', memoryBytes: 8e9 }

describe('pickNatural', () => {
  const pick = (change: Partial<Machine>, ...languages: string[]) =>
    pickNatural(catalogue, { ...machine, ...change }, languages).map(({ name }) => name)

  it('chooses one model for all languages on a fast machine', () => {
    expect(pick({}, 'de', 'fr-FR')).toEqual(['supertonic'])
  })

  it('chooses a small model for each language on a slow machine', () => {
    expect(pick({ speed: 'pi4' }, 'en', 'de')).toEqual(['ljspeech', 'kerstin'])
  })

  it('chooses a model once for several languages that it speaks', () => {
    expect(pick({ speed: 'pi4' }, 'de', 'de-AT', 'fr')).toEqual(['kerstin', 'siwis'])
  })

  it('says that no voice fits', () => {
    expect(() => pick({ speed: 'pi4' }, 'ja')).toThrow('speaks ja and fits this machine')
    expect(() => pick({ unsupported: 'sherpa-onnx has no build' }, 'en')).toThrow('has no build')
  })
})

describe('misfit', () => {
  it.each<[string, Partial<Machine>, RegExp | undefined]>([
    ['ljspeech', { speed: 'pi4' }, undefined],
    ['kokoro', { speed: 'pi4' }, /too slow/],
    ['ljspeech', { memoryBytes: 5e8 }, /needs about 502 MB of memory/],
    ['ljspeech', { unsupported: 'no build' }, /no build/],
  ])('of %s on %j is %s', (name, change, expected) => {
    const found = misfit(findEntry('voice', name), { ...machine, ...change })
    if (expected) expect(found).toMatch(expected)
    else expect(found).toBeUndefined()
  })
})

it.each([
  ['Raspberry Pi 4 Model B Rev 1.4\0', 'arm64', 4, 'pi4'],
  ['Raspberry Pi 5 Model B Rev 1.0\0', 'arm64', 4, 'pi5'],
  ['', 'arm64', 4, 'pi4'],
  ['', 'x64', 4, 'pi5'],
  ['', 'x64', 8, 'desktop'],
])('the board %j with %s and %i cores counts as %s', (board, arch, cores, expected) => {
  expect(classOf({ board, platform: 'linux', arch, cores })).toBe(expected)
})
