import { shown } from '../../network/device.ts'
import { objectOf } from '../../network/json.ts'

/** What the driver reads of the state of a player. */
export interface PlayerState {
  id: string
  /** The name that Music Assistant shows. */
  name: string
  /** Whether Music Assistant can reach it. */
  isAvailable: boolean
  isPlaying: boolean
  /** 0 to 100. Absent where Music Assistant cannot set it. */
  volume: number | undefined
  /** Whether the device plays announcements itself, over its music. */
  announces: boolean
  isGroup: boolean
}

/** These play no sound: they show what others play, or have a microphone only. */
const silentTypes = ['display', 'visualizer', 'light', 'source']

/** No player has a longer id. */
const maxIdCharacters = 200

/**
 * Reads a player (https://github.com/music-assistant/models, player.py, read 2026-11).
 * @returns `undefined` for what is not a player that plays sounds.
 */
export function readPlayer(value: unknown): PlayerState | undefined {
  const player = objectOf(value)
  const { player_id: id, name, type, available, enabled, supported_features: features } = player
  const { playback_state: state, volume_level: volume, volume_control: control } = player
  if (typeof id !== 'string' || id.length > maxIdCharacters) return undefined
  if (silentTypes.includes(String(type))) return undefined
  const hasVolume = typeof volume === 'number' && control !== 'none'
  return {
    id,
    name: shown(typeof name === 'string' ? name.slice(0, 100) : '') || shown(id),
    isAvailable: available === true && enabled !== false && player['needs_setup'] !== true,
    isPlaying: state === 'playing',
    volume: hasVolume ? Math.min(Math.max(volume, 0), 100) : undefined,
    announces: Array.isArray(features) && features.includes('play_announcement'),
    isGroup: type === 'group',
  }
}
