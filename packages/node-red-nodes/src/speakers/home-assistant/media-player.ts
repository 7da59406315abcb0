import { setTimeout as delay } from 'node:timers/promises'
import type { Entity } from './entity.ts'
import { type EntityState, mediaPlayerFeatures as features } from './entity-state.ts'
import type { Target } from './target.ts'

/** Devices round the volume, for example to a hundredth. */
const sameVolume = (one: number, other: number) => Math.abs(one - other) < 0.02

const playingStates = ['playing', 'buffering', 'on']

/**
 * Plays on a media player, as an announcement if the device knows those: it then plays on by itself what it was
 * playing. The volumes of devices are about the cube root of the amplitude.
 */
export function mediaPlayer(entity: Entity): Target {
  let before: EntityState = entity.state!
  let beganAt = Date.now()
  let volumeSet: number | undefined
  let isStopped = false
  const has = (feature: number) => (before.features & feature) !== 0
  const announces = () => has(features.announce)
  const wasPlaying = () => playingStates.includes(before.state)

  return {
    async prepare(volume) {
      before = entity.state!
      beganAt = Date.now()
      const present = before.volume
      if (present === undefined || !has(features.setVolume)) return
      const wanted = present * Math.cbrt(volume / 100)
      if (sameVolume(wanted, present)) return
      volumeSet = wanted
      await entity.call('media_player.volume_set', { volume_level: wanted })
    },
    start: (url) =>
      entity.call(
        'media_player.play_media',
        {
          media_content_id: url,
          media_content_type: 'music',
          ...(announces() && { announce: true }),
        },
        Number.POSITIVE_INFINITY,
      ),
    isPlaying:
      (url) =>
      ({ state, mediaId }) =>
        playingStates.includes(state) && (mediaId === url || (!mediaId && !wasPlaying())),
    async stop(url) {
      // Where the music still shows, a stop would be one of the music; the device runs out of the sound instead.
      const isOurs = !announces() || !wasPlaying() || entity.state?.mediaId === url
      if (!isOurs || !has(features.stop)) return
      isStopped = true
      await entity.call('media_player.media_stop')
    },
    async restore() {
      await restoreVolume(entity, before, volumeSet)
      // A device that was stopped during an announcement does not go on by itself.
      if (wasPlaying() && (!announces() || isStopped)) await resume(entity, before, beganAt)
    },
  }
}

/** Unless somebody has changed the volume meanwhile. */
async function restoreVolume(
  entity: Entity,
  { volume }: EntityState,
  volumeSet: number | undefined,
): Promise<void> {
  if (volumeSet === undefined || volume === undefined) return
  await entity.refresh()
  const now = entity.state?.volume
  if (now !== undefined && !sameVolume(now, volumeSet)) return
  await entity.call('media_player.volume_set', { volume_level: volume })
}

/** @param at When the music ended, in milliseconds since 1970. */
async function resume(entity: Entity, before: EntityState, at: number): Promise<void> {
  const { mediaId, mediaType, features: bits } = before
  if (!mediaId) return
  await entity.call('media_player.play_media', {
    media_content_id: mediaId,
    media_content_type: mediaType || 'music',
  })
  const position = positionOf(before, at)
  if ((bits & features.seek) === 0 || position === undefined) return
  // Devices reject a position before they have begun to play.
  await delay(200)
  await entity.call('media_player.media_seek', { seek_position: position })
}

/** @returns `undefined` for what has no end, such as a radio station, or where the device reports no position. */
function positionOf(
  { durationSeconds, positionSeconds, positionAt }: EntityState,
  at: number,
): number | undefined {
  if (!durationSeconds || positionSeconds === undefined) return undefined
  const elapsed = (at - positionAt) / 1000
  const position = positionSeconds + (elapsed > 0 ? elapsed : 0)
  // The clocks of the two machines may differ.
  return position < durationSeconds ? position : positionSeconds
}
