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
const speakers = [
  named('a1', 'Tablet', 'Kitchen'),
  named('b2', 'Radio', 'kitchen '),
  named('c3', 'Bedroom'),
  named('Hall-7F', 'Hall'),
  named('automatic', 'the editor'),
]
const idsOf = (...names: string[]) => findSpeakers(names, speakers, RED).map(({ id }) => id)

describe('speakers are found', () => {
  it.each([
    ['by id', ['a1'], ['a1']],
    ['by an id with capitals', ['Hall-7F'], ['Hall-7F']],
    ['by name, in any letter case', [' tABLET '], ['a1']],
    ['by room, all that are in it', ['KITCHEN'], ['a1', 'b2']],
    ['once each, in the order of the names', ['Bedroom', 'Kitchen', 'Tablet'], ['c3', 'a1', 'b2']],
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

  it.each(['', '   '])('but never by an empty room: %j', (name) => {
    expect(idsOf('c3', name)).toEqual(['c3'])
  })
})
