import { withinTime } from '../../../runtime/wait.ts'
import type { Entity } from './entity.ts'
import type { EntityTarget } from './target.ts'

/** Since this version, a satellite plays a sound of its own before an announcement, unless it is told not to. */
const firstWithPreannounce: readonly [year: number, month: number] = [2025, 4]

/** A satellite plays a sound that was stopped to the end of what it has received, and rejects another one until then. */
const busyLimitMs = 15_000

/**
 * Plays on a voice satellite. Home Assistant responds when the sound was played; it has no command that stops it, nor one that
 * sets its volume.
 */
export function satellite(entity: Entity): EntityTarget {
  return {
    async prepare(signal) {
      const free = entity.until(({ state }) => state !== 'responding', signal)
      await withinTime(busyLimitMs, free, () => 'busy').catch(() => signal.throwIfAborted())
    },
    start(url) {
      const [year, month] = entity.version
      const [firstYear, firstMonth] = firstWithPreannounce
      const hasPreannounce = year > firstYear || (year === firstYear && month >= firstMonth)
      const data = { media_id: url, ...(hasPreannounce && { preannounce: false }) }
      return entity.call('assist_satellite.announce', data, Infinity)
    },
    async stop() {},
    async restore() {},
    isFetchedByHomeAssistant: true,
  }
}
