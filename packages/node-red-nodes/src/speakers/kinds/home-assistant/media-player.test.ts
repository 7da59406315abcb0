import { expect, it } from 'vitest'
import type { Entity } from './entity.ts'
import type { EntityState } from './entity-state.ts'
import { mediaPlayerFeatures } from './entity-state.ts'
import { mediaPlayer } from './media-player.ts'

const { seek, playMedia } = mediaPlayerFeatures

/** What a media player is called to do when a sound is over, and 20 s of its music had been played. */
async function resume(state: Partial<EntityState>): Promise<unknown[][]> {
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
    call: async (...call: unknown[]) => void calls.push(call),
  }
  const player = mediaPlayer(entity as unknown as Entity, 100)
  await player.prepare(AbortSignal.timeout(20_000))
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
