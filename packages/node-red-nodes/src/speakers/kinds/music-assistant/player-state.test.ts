import { modelMessages as frames } from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant'
import { describe, expect, it } from 'vitest'
import { readPlayers } from './list-players.ts'
import { readPlayer } from './player-state.ts'

const { player } = frames

describe('a player', () => {
  it('is read as Music Assistant serialises it', () => {
    expect(readPlayer(player)).toEqual({
      id: 'kitchen',
      name: 'kitchen',
      isAvailable: true,
      isPlaying: false,
      volume: 80,
      announces: false,
      isGroup: false,
    })
  })

  it.each([{ available: false }, { enabled: false }, { needs_setup: true }])(
    'is not available with %j',
    (more) => {
      expect(readPlayer({ ...player, ...more })).toMatchObject({ isAvailable: false })
    },
  )

  it.each([{ volume_level: null }, { volume_control: 'none' }, { volume_level: '80' }])(
    'has no volume with %j',
    (more) => {
      expect(readPlayer({ ...player, ...more })!.volume).toBeUndefined()
    },
  )

  it('has its id as a name if it has no other', () => {
    expect(readPlayer({ ...player, name: '\u0007' })).toMatchObject({ name: 'kitchen' })
  })

  it.each([undefined, null, 7, {}, { player_id: 7 }, { ...player, type: 'display' }])(
    'is none: %j',
    (value) => {
      expect(readPlayer(value)).toBeUndefined()
    },
  )
})

it('the list has no players that belong to one browser, or are part of another one', () => {
  const list = [
    { ...player, type: 'group' },
    { ...player, private: true },
    { ...player, type: 'protocol' },
    null,
  ]
  const abilities = ['group', 'announces', 'volume']
  expect(readPlayers(list)).toEqual([{ id: 'kitchen', name: 'kitchen', room: '', abilities }])
  expect(readPlayers({})).toEqual([])
})
