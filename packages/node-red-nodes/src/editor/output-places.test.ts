import { describe, expect, it } from 'vitest'
import { outputPlaces } from './output-places.ts'

/** What the editor reads: a key that is not a number is a new output. */
function readPlaces(places: Record<string, number>) {
  const entries = Object.entries(places)
  const isNew = ([key]: [string, number]) => Number.isNaN(Number(key))
  return {
    moved: Object.fromEntries(entries.filter((entry) => !isNew(entry))),
    outputs: entries.filter((entry) => isNew(entry) || entry[1] !== -1).length,
  }
}

describe('the places of outputs', () => {
  it('are those before for the same outputs', () => {
    const names = ['yes', 'no', 'else', 'nobody']
    expect(outputPlaces(names, names)).toEqual({ 0: 0, 1: 1, 2: 2, 3: 3 })
  })

  it('follow the names of the outputs', () => {
    const before = ['yes', 'no', 'else', 'nobody']
    const after = ['perhaps', 'no', 'else', 'nobody']
    expect(readPlaces(outputPlaces(before, after))).toEqual({
      moved: { 0: -1, 1: 1, 2: 2, 3: 3 },
      outputs: 4,
    })
  })

  it.each([
    ['1', '2', '3'],
    ['0x10', 'Infinity', '1e3'],
    ['C & C', '#a', 'new-1'],
  ])('are those of %s, %s and %s too, which name new outputs', (...names) => {
    const places = outputPlaces(['yes', 'no', 'else', 'nobody'], [...names, 'else', 'nobody'])
    expect(readPlaces(places)).toEqual({ moved: { 0: -1, 1: -1, 2: 3, 3: 4 }, outputs: 5 })
    // The editor makes a selector of each key.
    expect(Object.keys(places).filter((key) => !/^[\w-]+$/.test(key))).toEqual([])
  })
})
