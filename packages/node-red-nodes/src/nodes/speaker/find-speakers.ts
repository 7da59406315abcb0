import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import { everywhere, isNamed } from '../../shared/speaker-name.ts'
import type { Driver } from '../../speakers/driver.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { readSpeakerSettings } from './speaker-settings.ts'

export interface KnownSpeakers {
  /** Those of configuration nodes. */
  configured: readonly Speaker[]
  /** Those that need none. */
  builtIn: readonly Speaker[]
}

/**
 * Finds speakers by id, name or room, in any letter case, or all of configuration nodes by `everywhere`. Without a name: the
 * speaker `automatic`. A name that none has gets one that fails, so that the others play and the report contains the error.
 * @throws {NodeInputError} if there are no others.
 */
export function findSpeakers(
  names: readonly string[],
  known: KnownSpeakers,
  RED: Texts,
): Speaker[] {
  const isAnyNamed = names.some((name) => name.trim() !== '')
  const { found, missing } = lookUp(isAnyNamed ? names : ['automatic'], known, RED)
  if (found.size === 0) throw missing[0]!.error
  return [...found, ...missing.map(failingSpeaker)]
}

/** The speakers that a group names: as {@link findSpeakers}, but none without a name. */
export function findMembers(names: readonly string[], known: KnownSpeakers, RED: Texts): Speaker[] {
  const { found, missing } = lookUp(names, known, RED)
  return [...found, ...missing.map(failingSpeaker)]
}

function lookUp(
  names: readonly string[],
  { configured, builtIn }: KnownSpeakers,
  RED: Texts,
): { found: ReadonlySet<Speaker>; missing: MissingSpeaker[] } {
  const speakers = [...configured, ...builtIn]
  const wanted = names.map((name) => name.trim()).filter((name) => name !== '')
  const missing: MissingSpeaker[] = []
  const found = wanted.flatMap((name) => {
    const matching = speakers.filter((speaker) => isNamed(speaker, name))
    if (matching.length > 0) return matching
    const single = configured.filter(({ members }) => !members)
    if (name.toLowerCase() === everywhere && single.length > 0) return onePerDevice(single)
    const known = speakers.map((speaker) => speaker.name).join(', ')
    const error = new NodeInputError(RED._('speaker.error.unknown-speaker', { name, known }))
    missing.push({ name, error })
    return []
  })
  return { found: new Set(found), missing }
}

interface MissingSpeaker {
  name: string
  error: NodeInputError
}

function failingSpeaker({ name, error }: MissingSpeaker): Speaker {
  return {
    id: `missing ${name}`,
    name,
    devices: [],
    handsOut: false,
    room: '',
    settings: readSpeakerSettings({}),
    driver: failingDriver(error),
  }
}

/** A driver that cannot play. */
export function failingDriver(error: Error): Driver {
  const fail = async () => {
    throw error
  }
  return { prepare: fail, play: fail, close: async () => {} }
}

/** Without the speakers whose devices others have, too: a device plays one sound at a time. */
export function onePerDevice(speakers: readonly Speaker[]): Speaker[] {
  const taken = new Set<string>()
  return speakers.filter(({ devices }) => {
    const isNew = devices.length === 0 || devices.some((device) => !taken.has(device))
    for (const device of devices) taken.add(device)
    return isNew
  })
}
