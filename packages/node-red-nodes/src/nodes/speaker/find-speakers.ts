import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import type { Driver } from '../../speakers/driver.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { isEverywhere, isNamed } from '../../speakers/speaker-name.ts'
import { readSpeakerSettings } from './speaker-settings.ts'

export interface KnownSpeakers {
  /** Those of configuration nodes. */
  configured: readonly Speaker[]
  /** Those that need none. */
  builtIn: readonly Speaker[]
}

/**
 * Finds speakers by id, name or room, in any letter case, or all of configuration nodes by `everywhere`. Without a name: the
 * speaker `automatic`. A name that no speaker has gets a speaker that fails, so that the other speakers play and the report contains
 * the error.
 * @throws {NodeInputError} if no speaker has any of the names.
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

/**
 * Finds the speakers that the form of another one names: the members of a group, or those that play in its place. If one was
 * deleted or disabled, there is one more, which fails, so that the report says so.
 * @param owner is none of them.
 * @param named ids, names, rooms or `everywhere`, in any letter case. A hand-written flow may hold anything.
 */
export function findNamedBy(
  owner: Pick<Speaker, 'id' | 'name'>,
  named: unknown,
  configured: Iterable<Speaker>,
  RED: Texts,
): Speaker[] {
  const names = [named]
    .flat()
    .filter((name): name is string => typeof name === 'string' && name !== owner.id)
  const others = [...configured].filter(({ id }) => id !== owner.id)
  const { found, missing } = lookUp(names, { configured: others, builtIn: [] }, RED)
  const single = [...found].filter(({ id }) => id !== owner.id)
  if (missing.every(({ name }) => isEverywhere(name))) return single
  const message = RED._('speaker.error.missing-speaker', { name: owner.name })
  const name = RED._('speaker.missing')
  return [...single, failingSpeaker({ name, error: new NodeInputError(message) })]
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
    if (isEverywhere(name) && single.length > 0) return single
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
