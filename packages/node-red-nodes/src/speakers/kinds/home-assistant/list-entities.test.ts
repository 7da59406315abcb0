import { expect, it } from 'vitest'
import { readEntities } from './list-entities.ts'

const rows = [
  ['media_player.kitchen', 'Radio', 'Kitchen', 513_599],
  ['media_player.sonos', 'Sonos', 'Hall', 1_048_576 + 512],
  ['media_player.remote', 'Remote control', '', 1],
  ['assist_satellite.desk', 'Desk', '', 3],
  ['assist_satellite.mute', 'Mute', '', 2],
]
const devices = [
  {
    id: 'media_player.kitchen',
    name: 'Radio',
    room: 'Kitchen',
    abilities: ['interrupts', 'volume'],
  },
  { id: 'media_player.sonos', name: 'Sonos', room: 'Hall', abilities: ['announces'] },
  { id: 'assist_satellite.desk', name: 'Desk', room: '', abilities: ['satellite'] },
]

it('the list has the devices that play an address, with their rooms and what they can', () => {
  expect(readEntities(rows)).toEqual(devices)
})

it('the list may be the text that a template made', () => {
  expect(readEntities(JSON.stringify(rows))).toEqual(devices)
})

it.each([undefined, null, 'no JSON', {}, [null], [[]], [[{}, {}, {}, {}]]])(
  'what is no list is empty: %j',
  (result) => {
    expect(readEntities(result)).toEqual([])
  },
)
