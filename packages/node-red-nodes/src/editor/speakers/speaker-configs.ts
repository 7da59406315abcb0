import { isEverywhere, isNamed, type NamedSpeaker } from '../../speakers/speaker-name.ts'
import { RED } from '../red.ts'

/** The configuration node of a speaker. */
export interface SpeakerConfig extends NamedSpeaker {
  type: string
  kind?: string
  /** The members of a group. */
  members?: readonly string[]
  /** Those that say what it cannot. */
  instead?: readonly string[]
  /** The only tab that can use it. Default: all. */
  z?: string
  /** Whether it is disabled. */
  d?: boolean
}

/** The speakers that a node of a tab can use, in the order of their names. */
export function listedSpeakers(tab: string): SpeakerConfig[] {
  const speakers: SpeakerConfig[] = []
  RED.nodes.eachConfig((config) => {
    const speaker = config as SpeakerConfig
    const isInScope = !speaker.z || speaker.z === tab
    if (speaker.type === 'parlando-speaker' && isInScope && !speaker.d) speakers.push(speaker)
    return true
  })
  return speakers.sort((one, other) => (one.name ?? '').localeCompare(other.name ?? ''))
}

/** What a node has chosen: its speaker, and those of the list with ticks. */
export interface ChosenSpeakers {
  speaker?: string | undefined
  alsoOn?: readonly string[] | undefined
}

/** The speakers on which a node may play, by itself, as members of a group, or because another one cannot. */
export function playedSpeakers(
  { speaker = '', alsoOn = [] }: ChosenSpeakers,
  all: readonly SpeakerConfig[],
): ReadonlySet<SpeakerConfig> {
  const played = new Set<SpeakerConfig>()
  const add = (names: readonly string[]) => {
    for (const one of all) {
      const isMeant = names.some((name) => isEverywhere(name) || isNamed(one, name))
      if (!isMeant || played.has(one)) continue
      played.add(one)
      add([...(one.members ?? []), ...(one.instead ?? [])])
    }
  }
  add([speaker, ...alsoOn])
  return played
}

/** A list of speakers, by ids and names of rooms. The editor takes the speakers along when it exports or copies the node. */
export const otherSpeakersDefault = {
  value: [] as string[],
  type: 'parlando-speaker[]',
  required: false,
}

/** The settings of a node that plays: its speaker, and what else it plays on. */
export const speakerDefaults = {
  speaker: { value: '', type: 'parlando-speaker', required: false },
  alsoOn: otherSpeakersDefault,
}
