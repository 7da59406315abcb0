import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findUnfitReason } from './fit.ts'

const much = 2 ** 31

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-fit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** @param took the results of the measures, in order. */
function createMachine(...took: number[]) {
  const machine = {
    freeBytes: much,
    speed: 'pi4' as const,
    dataFolder: openFolder(),
    measured: 0,
    async measure() {
      return took[machine.measured++]!
    },
  }
  return machine
}

describe('a natural voice', () => {
  it('is the default on a machine with enough memory that is not of the slowest class', async () => {
    const machine = { ...createMachine(), speed: 'pi5' as const }
    expect(await findUnfitReason(machine)).toBeUndefined()
    expect(machine.measured).toBe(0)
  })

  it('is not the default where memory is short', async () => {
    const machine = { ...createMachine(), freeBytes: 100 * 1024 ** 2 }
    expect(await findUnfitReason(machine)).toMatch(/too little free memory .*: 100 MiB, of 180/)
  })

  it('is the default on a slow machine that is fast enough in one of three attempts', async () => {
    const machine = createMachine(3, 0.7, 0.4)
    expect(await findUnfitReason(machine)).toBeUndefined()
    expect(machine.measured).toBe(3)
  })

  it('is not the default on a machine that is too slow, which is measured only once', async () => {
    const machine = createMachine(3, 0.81, 0.9)
    const reason = expect.stringContaining('a second of speech takes 0.8 s')
    expect(await findUnfitReason(machine)).toEqual(reason)
    expect(await findUnfitReason(machine)).toEqual(reason)
    expect(machine.measured).toBe(3)
  })

  it('is not the default on a slow machine where its threads fail, and is measured again at the next start', async () => {
    const failing = {
      ...createMachine(),
      measure: async () => {
        throw new Error('the thread ended')
      },
    }
    expect(await findUnfitReason(failing)).toMatch(/could not speak with it/)
    expect(await findUnfitReason({ ...failing, measure: async () => 0.1 })).toBeUndefined()
  })

  it('is measured again if the file is damaged, and each time if it cannot be written', async () => {
    const machine = createMachine(0.1, 0.1, 0.1)
    const path = join(machine.dataFolder, 'natural-voices.json')
    writeFileSync(path, '{"secondsPerSecond":')
    expect(await findUnfitReason(machine)).toBeUndefined()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ secondsPerSecond: 0.1 })
    const dataFolder = join(path, 'no folder')
    for (const _ of [1, 2])
      expect(await findUnfitReason({ ...machine, dataFolder })).toBeUndefined()
  })
})
