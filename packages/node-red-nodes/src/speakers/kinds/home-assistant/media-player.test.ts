import { expect, it } from 'vitest'
import type { Entity } from './entity.ts'
import type { EntityState } from './entity-state.ts'
import { mediaPlayerFeatures } from './entity-state.ts'
import { mediaPlayer } from './media-player.ts'

const { seek, playMedia, setVolume } = mediaPlayerFeatures

/** A media player that had played 20 s of its music. */
function playerWithMusic(state: Partial<EntityState>, { rejectsFirst = false } = {}) {
  const calls: unknown[][] = []
  const entity = {
    id: 'media_player.kitchen',
    state: {
      state: 'playing',
      features: seek + playMedia,
      mediaId: 'music.mp3',
      durationSeconds: 60,
      positionSeconds: 20,
      positionAt: Date.now() + 3_600_000,
      ...state,
    },
    async refresh() {},
    async call(service: string, data: object) {
      calls.push([service, data])
      if (rejectsFirst && calls.length === 1) throw new Error('rejected')
    },
  }
  return { calls, player: mediaPlayer(entity as unknown as Entity, 50) }
}

/** What a media player is called to do when a sound is over. */
async function resume(state: Partial<EntityState>): Promise<unknown[][]> {
  const { calls, player } = playerWithMusic(state)
  await player.prepare(AbortSignal.timeout(20_000))
  await player.start('sound.mp3')
  calls.length = 0
  await player.restore()
  return calls
}

const plays = [
  'media_player.play_media',
  { media_content_id: 'music.mp3', media_content_type: 'music' },
]

it('music goes on where it was, whatever the clock of Home Assistant says', async () => {
  const seeks = ['media_player.media_seek', { seek_position: 20 }]
  expect(await resume({})).toEqual([plays, seeks])
})

it('music begins again if the position is one of a longer title', async () => {
  expect(await resume({ positionSeconds: 75 })).toEqual([plays])
})

it('a radio station goes on without a position', async () => {
  expect(await resume({ durationSeconds: undefined })).toEqual([plays])
})

it('music is left alone by a sound that does not begin, because the volume cannot be set', async () => {
  const state = { features: seek + playMedia + setVolume, volume: 0.5 }
  const { calls, player } = playerWithMusic(state, { rejectsFirst: true })
  await expect(player.prepare(AbortSignal.timeout(20_000))).rejects.toThrow('rejected')
  await player.restore()
  expect(calls.slice(1)).toEqual([['media_player.volume_set', { volume_level: 0.5 }]])
})

it('music that one sound has interrupted is left alone by the next one that does not begin', async () => {
  const { calls, player } = playerWithMusic({})
  await player.prepare(AbortSignal.timeout(20_000))
  await player.start('sound.mp3')
  await player.restore()
  calls.length = 0
  await player.prepare(AbortSignal.timeout(20_000))
  await player.restore()
  expect(calls).toEqual([])
})
