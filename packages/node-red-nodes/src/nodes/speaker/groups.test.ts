import { RED } from '@parlando/test-support/node-red/fake-red'
import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { describe, expect, it } from 'vitest'
import type { Speaker } from '../../speakers/speaker.ts'
import { createGroup, expandGroups } from './groups.ts'

/** Speakers, and groups of these members. */
function useSpeakers(groups: Record<string, readonly string[]>) {
  const speakers = new Map<string, Speaker>()
  for (const id of ['kitchen', 'hall', 'bedroom']) speakers.set(id, createFakeSpeaker(id))
  for (const [id, members] of Object.entries(groups)) {
    speakers.set(id, createGroup(id, { name: id, members }, speakers, RED))
  }
  return {
    speakers,
    expand: (...ids: string[]) => expandGroups(ids.map((id) => speakers.get(id)!)),
  }
}
const namesOf = (speakers: readonly Speaker[]) => speakers.map(({ name }) => name)

describe('a group', () => {
  it.each([
    ['speakers', { down: ['kitchen', 'hall'] }, ['kitchen', 'hall']],
    ['one of them twice', { down: ['', 'kitchen', 'Kitchen', 'hall'] }, ['kitchen', 'hall']],
    ['a group', { down: ['hall', 'up'], up: ['bedroom', 'hall'] }, ['hall', 'bedroom']],
    [
      'a group that contains it',
      { down: ['kitchen', 'up'], up: ['hall', 'down'] },
      ['kitchen', 'hall'],
    ],
    ['itself', { down: ['down', 'hall'] }, ['hall']],
    ['all speakers', { down: ['everywhere'], up: ['everywhere'] }, ['kitchen', 'hall', 'bedroom']],
  ])('of %s stands for each speaker once', (_what, groups, names) => {
    const { expand } = useSpeakers(groups)
    expect(namesOf(expand('down'))).toEqual(names)
  })

  it('plays once on a speaker that is named as well', () => {
    const { expand } = useSpeakers({ down: ['kitchen', 'hall'] })
    expect(namesOf(expand('hall', 'down', 'bedroom'))).toEqual(['hall', 'kitchen', 'bedroom'])
  })

  it('plays once on a device of two speakers', () => {
    const { expand, speakers } = useSpeakers({ down: ['radio'] })
    speakers.set('radio', { ...createFakeSpeaker('radio'), devices: ['kitchen'] })
    expect(namesOf(expand('kitchen', 'down'))).toEqual(['kitchen'])
  })

  it('reports a member that is deleted, while the others play', async () => {
    const { expand, speakers } = useSpeakers({ down: ['kitchen', 'hall'] })
    speakers.delete('kitchen')
    const [hall, missing] = expand('down')
    expect([hall!.name, missing!.name]).toEqual(['hall', 'speaker.missing undefined'])
    const { signal } = new AbortController()
    await expect(missing!.driver.prepare(signal)).rejects.toThrow('missing-speaker {"name":"down"}')
  })

  it.each([
    ['nothing', { down: [] }],
    ['groups of nothing', { down: ['up'], up: ['down'] }],
  ])('of %s fails, and says so', async (_what, groups) => {
    const { expand } = useSpeakers(groups)
    const [group] = expand('down')
    const { signal } = new AbortController()
    await expect(group!.driver.prepare(signal)).rejects.toThrow('empty-group {"name":"down"}')
  })

  it('without a name is named in the error by its kind', async () => {
    const group = createGroup('down', { members: [] }, new Map(), RED)
    const { signal } = new AbortController()
    await expect(group.driver.prepare(signal)).rejects.toThrow(`{"name":"${group.name}"}`)
    expect(group.name).toContain('speaker.kind.group')
  })

  it('of many groups that contain each other takes no time', () => {
    const ids = Array.from({ length: 12 }, (_, index) => `group ${index}`)
    const { expand } = useSpeakers(Object.fromEntries(ids.map((id) => [id, [...ids, 'hall']])))
    expect(namesOf(expand(...ids))).toEqual(['hall'])
  })

  it('plays once on a device that several members have', () => {
    const { expand, speakers } = useSpeakers({ down: ['kitchen', 'radio'] })
    speakers.set('radio', { ...createFakeSpeaker('radio'), devices: ['kitchen'] })
    expect(namesOf(expand('down'))).toEqual(['kitchen'])
  })
})

it.each<[Record<string, string[]>, string[]]>([
  [{}, ['kitchen', 'bedroom']],
  [{ all: ['a', 'b'] }, ['kitchen', 'bedroom']],
  [{ all: ['a', 'b', 'c'] }, ['all']],
  [{ all: ['a', 'c'] }, ['bedroom', 'all']],
  [{ down: ['a', 'c', 'd'], up: ['b', 'c', 'e'] }, ['down', 'up']],
  [{ down: ['a', 'c'], up: ['b', 'c'] }, ['bedroom', 'down']],
  [{ nothing: [] }, ['kitchen', 'bedroom', 'nothing']],
])('of several speakers, each device plays once, with %j', (others, ids) => {
  const devices = { kitchen: ['a'], again: ['a'], bedroom: ['b'], ...others }
  const speakers = Object.entries(devices).map(([id, devices]) => ({
    ...createFakeSpeaker(id),
    devices,
  }))
  expect(namesOf(expandGroups(speakers))).toEqual(ids)
})
