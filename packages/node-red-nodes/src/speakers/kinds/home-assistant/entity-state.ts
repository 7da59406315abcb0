import { shown } from '../../network/device.ts'
import { objectOf } from '../../network/json.ts'

/** What the driver reads of the state of a media player or a satellite. */
export interface EntityState {
  /** A state such as `playing`, `idle`, `off` or `unavailable`. */
  state: string
  /** The name that Home Assistant shows. */
  name: string
  features: number
  /** 0 to 1. Absent while the device does not report it. */
  volume: number | undefined
  /** What plays, such as the address of a sound; empty if the device does not report it. */
  mediaId: string
  mediaType: string
  /** Absent for what has no end, such as a radio station. */
  durationSeconds: number | undefined
  /** The position at {@link positionAt}. */
  positionSeconds: number | undefined
  /** When it was at this position, in milliseconds since 1970, by the clock of Home Assistant. */
  positionAt: number
}

/** Bits of `supported_features` (homeassistant/components/media_player/const.py, assist_satellite/const.py, read 2026-11). */
export const mediaPlayerFeatures = {
  seek: 2,
  setVolume: 4,
  playMedia: 512,
  stop: 4096,
  announce: 1_048_576,
}
export const satelliteFeatures = { announce: 1 }

/** Longer texts are not sent back: nothing that plays has such an id. */
const maxCharacters = 4096

/**
 * Applies an event of `subscribe_entities` to the state of an entity: its whole state, what changed in it, or its removal.
 * @returns `undefined` if Home Assistant has no such entity.
 */
export function applyEvent(
  entityId: string,
  before: Attributes | undefined,
  event: unknown,
): Attributes | undefined {
  const { a: added, c: changed, r: removed } = objectOf(event)
  const whole = ownOf(added, entityId)
  if (whole) return { ...attributesOf(whole), state: whole['s'] }
  const change = ownOf(changed, entityId)
  if (change && before) {
    const set = objectOf(change['+'])
    const unset = objectOf(change['-'])['a']
    const after = { ...before, ...attributesOf(set), ...('s' in set && { state: set['s'] }) }
    if (!Array.isArray(unset)) return after
    const isKept = ([name]: [string, unknown]) => name === 'state' || !unset.includes(name)
    return Object.fromEntries(Object.entries(after).filter(isKept))
  }
  return Array.isArray(removed) && removed.includes(entityId) ? undefined : before
}

/** The attributes of an entity that the driver reads, by their names in Home Assistant, and its state. */
export type Attributes = Readonly<Record<string, unknown>>

const readNames = [
  'friendly_name',
  'supported_features',
  'volume_level',
  'media_content_id',
  'media_content_type',
  'media_duration',
  'media_position',
  'media_position_updated_at',
]

/** Keeps only what is read: an entity may have attributes of any size. */
function attributesOf(state: Record<string, unknown>): Attributes {
  const attributes = objectOf(state['a'])
  const names = readNames.filter((name) => Object.hasOwn(attributes, name))
  return Object.fromEntries(names.map((name) => [name, attributes[name]]))
}

function ownOf(entities: unknown, id: string): Record<string, unknown> | undefined {
  const all = objectOf(entities)
  return Object.hasOwn(all, id) ? objectOf(all[id]) : undefined
}

export function readState(attributes: Attributes): EntityState {
  const textAt = (name: string) => {
    const value = attributes[name]
    return typeof value === 'string' && value.length <= maxCharacters ? value : ''
  }
  const numberAt = (name: string) => {
    const value = attributes[name]
    // MPD has its duration as a text.
    const number = typeof value === 'string' && /^[\d.]{1,12}$/.test(value) ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }
  const volume = numberAt('volume_level')
  return {
    state: textAt('state'),
    name: shown(textAt('friendly_name').slice(0, 100)),
    features: Math.trunc(numberAt('supported_features') ?? 0),
    volume: volume === undefined ? undefined : Math.min(Math.max(volume, 0), 1),
    mediaId: textAt('media_content_id'),
    mediaType: textAt('media_content_type'),
    durationSeconds: numberAt('media_duration'),
    positionSeconds: numberAt('media_position'),
    positionAt: Date.parse(textAt('media_position_updated_at')),
  }
}
