import { RED } from '@parlando/test-support/node-red/fake-red'
import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it } from 'vitest'
import type { Speaker } from '../../speakers/speaker.ts'
import { findNamedBy, findSpeakers } from './find-speakers.ts'

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

  it.each([
    [
      ['down', ' EVERYWHERE '],
      ['a1', 'b2'],
    ],
    [
      ['KITCHEN', 'a1'],
      ['a1', 'b2'],
    ],
    [['b2', '', 'down'], ['b2']],
    ['b2', ['b2']],
    [undefined, []],
    [[null, {}, 7], []],
  ])('as another speaker names them: %j', (names, ids) => {
    const configured = [named('down', 'Down', 'kitchen'), ...speakers.configured.slice(0, 2)]
    const found = findNamedBy(configured[0]!, names, configured, RED)
    expect(found.map(({ id }) => id)).toEqual(ids)
  })

  it('as another speaker names them, with one that fails for those that do not exist', async () => {
    const names = ['a1', 'f00d', 'beef']
    const [tablet, ...missing] = findNamedBy(
      named('c3', 'Bedroom'),
      names,
      speakers.configured,
      RED,
    )
    expect(tablet).toMatchObject({ id: 'a1' })
    expect(missing.map(({ name }) => name)).toEqual(['speaker.missing undefined'])
    await expect(missing[0]!.driver.prepare(new AbortController().signal)).rejects.toThrow(
      'speaker.error.missing-speaker {"name":"Bedroom"}',
    )
  })

  it('everywhere means none where there are no others', () => {
    const alone = named('c3', 'Bedroom')
    expect(findNamedBy(alone, ['everywhere'], [alone], RED)).toEqual([])
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
