import { NodeInputError } from '../../runtime/failure.ts'
import type { Texts } from '../../runtime/texts.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import type { KindForm } from '../../speakers/speaker-kind.ts'
import { failingDriver, findNamedBy } from './find-speakers.ts'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'

/** What the form needs to know of a group, which names its members instead of a device. */
export const groupForm: KindForm = { name: 'group', settings: [], handsOut: false }

/** @param configured all speakers and groups of configuration nodes. */
export function createGroup(
  id: string,
  { name, room = '', members }: SpeakerForm,
  configured: ReadonlyMap<string, Speaker>,
  RED: Texts,
): Speaker {
  const shownName = name || RED._('speaker.kind.group')
  const group: Speaker = {
    id,
    name: shownName,
    devices: [],
    handsOut: false,
    room,
    settings: readSpeakerSettings({}),
    // Used only if there are no members: nodes play on these.
    driver: failingDriver(
      new NodeInputError(RED._('speaker.error.empty-group', { name: shownName })),
    ),
    members: () => findNamedBy(group, members, configured.values(), RED),
  }
  return group
}

/**
 * Replaces the groups among speakers by their members, so that each device plays once. A group may contain groups, also one that
 * contains it. One without any speaker stays: it fails.
 */
export function expandGroups(speakers: readonly Speaker[]): Speaker[] {
  const expanded = new Map<string, Speaker>()
  for (const speaker of speakers) {
    const members = speaker.members ? membersOf(speaker, new Set()) : []
    for (const member of members.length > 0 ? members : [speaker]) expanded.set(member.id, member)
  }
  return onePerDevice([...expanded.values()])
}

/** @param seen the groups that were looked into. */
function membersOf(speaker: Speaker, seen: Set<string>): Speaker[] {
  if (!speaker.members) return [speaker]
  if (seen.has(speaker.id)) return []
  seen.add(speaker.id)
  return speaker.members().flatMap((member) => membersOf(member, seen))
}

/**
 * Without the speakers whose every device others have, too: a device plays one sound at a time. Those with the fewest devices
 * stay: a room has its own volume and quiet hours. If two share only some devices, both stay.
 */
function onePerDevice(speakers: readonly Speaker[]): Speaker[] {
  const kept = new Set(speakers)
  const largestFirst = [...speakers]
    .reverse()
    .sort((one, other) => other.devices.length - one.devices.length)
  for (const speaker of largestFirst) {
    const others = [...kept].filter((other) => other !== speaker)
    const taken = new Set(others.flatMap(({ devices }) => devices))
    const { devices } = speaker
    if (devices.length > 0 && devices.every((one) => taken.has(one))) kept.delete(speaker)
  }
  return [...kept]
}
