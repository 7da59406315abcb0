import { setTimeout as delay } from 'node:timers/promises'
import { softerVolume } from '../../device-drivers/device-sound.ts'
import type { Entity } from './entity.ts'
import { type EntityState, mediaPlayerFeatures as features } from './entity-state.ts'
import type { EntityTarget } from './target.ts'

/** Devices round the volume, for example to a hundredth. */
const sameVolume = (one: number, other: number) => Math.abs(one - other) < 0.02

const playingStates = ['playing', 'buffering', 'on']

/**
 * Plays on a media player, as an announcement if the device knows those: it then plays on by itself what it was playing.
 * @param volume 0 to 100: percent of the amplitude.
 */
export function mediaPlayer(entity: Entity, volume: number): EntityTarget {
  let before: EntityState = entity.state!
  let beganAt = Date.now()
  let volumes: { before: number; set: number } | undefined
  /** Only a sound that has begun interrupts the music. */
  let hasStarted = false
  let isStopped = false
  const has = (feature: number) => (before.features & feature) !== 0
  const announces = () => has(features.announce)
  const wasPlaying = () => playingStates.includes(before.state)

  const soften = async (present: number | undefined) => {
    if (present === undefined || !has(features.setVolume)) return
    const set = softerVolume(present, volume)
    if (sameVolume(set, present)) return
    volumes = { before: present, set }
    await entity.call('media_player.volume_set', { volume_level: set })
  }

  return {
    async prepare() {
      before = entity.state!
      beganAt = Date.now()
      hasStarted = false
      await soften(before.volume)
    },
    async start(url) {
      const data = { media_content_id: url, media_content_type: 'music' }
      const announce = announces() && { announce: true }
      hasStarted = true
      await entity.call('media_player.play_media', { ...data, ...announce }, Infinity)
      // A device that is off has no volume until it plays.
      if (before.volume === undefined) await soften(entity.state?.volume)
    },
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
      if (volumes) await restoreVolume(entity, volumes)
      // A device that was stopped during an announcement does not go on by itself.
      const isInterrupted = hasStarted && wasPlaying() && (!announces() || isStopped)
      if (isInterrupted) await resume(entity, before, beganAt)
    },
  }
}

/** Unless somebody has changed the volume meanwhile. */
async function restoreVolume(
  entity: Entity,
  { before, set }: { before: number; set: number },
): Promise<void> {
  await entity.refresh()
  if (entity.volume !== undefined && !sameVolume(entity.volume, set)) return
  await entity.call('media_player.volume_set', { volume_level: before })
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

/**
 * @returns `undefined` for what has no end, such as a radio station, or where the device reports no position, or still that of what
 * it played before.
 */
function positionOf(
  { durationSeconds, positionSeconds, positionAt }: EntityState,
  at: number,
): number | undefined {
  if (!durationSeconds || positionSeconds === undefined) return undefined
  if (positionSeconds >= durationSeconds) return undefined
  const elapsed = (at - positionAt) / 1000
  const position = positionSeconds + (elapsed > 0 ? elapsed : 0)
  // The clocks of the two machines may differ.
  return position < durationSeconds ? position : positionSeconds
}
