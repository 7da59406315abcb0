import { RED } from '@parlando/test-support/node-red/fake-red'
import { createFakeSpeaker } from '@parlando/test-support/node-red/fake-speaker'
import { describe, expect, it } from 'vitest'
import type { Speaker } from '../../speakers/speaker.ts'
import { findSpeakers } from './find-speakers.ts'

const named = (id: string, name: string, room = ''): Speaker => ({
  ...createFakeSpeaker(id),
  name,
  room,
})
const speakers = {
  configured: [
    named('a1', 'Tablet', 'Kitchen'),
    named('b2', 'Radio', 'kitchen '),
    named('c3', 'Bedroom'),
    named('Hall-7F', 'Hall'),
  ],
  builtIn: [named('automatic', 'the editor')],
}
const idsOf = (...names: string[]) => findSpeakers(names, speakers, RED).map(({ id }) => id)

describe('speakers are found', () => {
  it.each([
    ['by id', ['a1'], ['a1']],
    ['by an id with capitals', ['Hall-7F'], ['Hall-7F']],
    ['by name, in any letter case', [' tABLET '], ['a1']],
    ['by room, all that are in it', ['KITCHEN'], ['a1', 'b2']],
    ['once each, in the order of the names', ['Bedroom', 'Kitchen', 'Tablet'], ['c3', 'a1', 'b2']],
    ['everywhere', ['Everywhere'], ['a1', 'b2', 'c3', 'Hall-7F']],
    ['everywhere, once each', ['Radio', 'everywhere'], ['b2', 'a1', 'c3', 'Hall-7F']],
    ['as the automatic one, without a name', [], ['automatic']],
    ['as the automatic one, with empty names', ['', '  '], ['automatic']],
  ])('%s', (_how, names, ids) => {
    expect(idsOf(...names)).toEqual(ids)
  })

  it('or rejected, with the names of those that exist', () => {
    expect(() => idsOf('Cellar')).toThrow(
      'speaker.error.unknown-speaker {"name":"Cellar","known":"Tablet, Radio, Bedroom, Hall, the editor"}',
    )
  })

  it('with one that fails for an unknown name among others', async () => {
    const [tablet, cellar] = findSpeakers(['Cellar', 'Tablet'], speakers, RED)
    expect(tablet).toMatchObject({ id: 'a1' })
    expect(cellar).toMatchObject({ name: 'Cellar', devices: [] })
    await expect(cellar!.driver.prepare(new AbortController().signal)).rejects.toThrow('unknown')
  })

  it('everywhere, but each device once', () => {
    const again = { ...named('d4', 'Tablet in the hall'), devices: ['a1'] }
    const more = { ...named('e5', 'All'), devices: ['a1', 'x'] }
    const configured = [...speakers.configured, again, more]
    const found = findSpeakers(['everywhere'], { ...speakers, configured }, RED)
    expect(found.map(({ id }) => id)).toEqual(['a1', 'b2', 'c3', 'Hall-7F', 'e5'])
  })

  it('everywhere as any other name, where a room is called so', () => {
    const configured = [...speakers.configured, named('f6', 'Loud', 'Everywhere')]
    const found = findSpeakers(['everywhere'], { ...speakers, configured }, RED)
    expect(found.map(({ id }) => id)).toEqual(['f6'])
  })

  it('everywhere only if there are any', () => {
    const known = { ...speakers, configured: [] }
    expect(() => findSpeakers(['everywhere'], known, RED)).toThrow('unknown-speaker')
  })

  it.each(['', '   '])('but never by an empty room: %j', (name) => {
    expect(idsOf('c3', name)).toEqual(['c3'])
  })
})
