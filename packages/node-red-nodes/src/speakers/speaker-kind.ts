import type { NodeAPI } from 'node-red'
import type { Texts } from '../runtime/texts.ts'
import type { SoundStore } from '../sounds/to-play/sound-store.ts'
import type { Driver } from './driver.ts'
import type { SearchOptions } from './search/multicast-search.ts'
import type { FoundService } from './search/service-records.ts'

/**
 * A setting that only speakers of one kind have: a row of their form, unless other kinds have it, too. Its label is the text
 * `speaker.label.<name>`.
 */
export interface KindSetting {
  /** The property of the configuration node. */
  name: string
  /** Default: empty. */
  default?: string
  /** The values of a list, with the texts `speaker.label.<name>-<value>`. */
  options?: readonly string[]
  /**
   * `address`: of a server. `secret`: a credential, which is not exported with the flow. `device`: one of those that the kind
   * lists. Default: a list if there are options, or else a text.
   */
  type?: 'address' | 'secret' | 'device'
  /** An example, in no language. Default: none. */
  placeholder?: string
  /** The setting with the address of the server that receives a secret: a saved one goes to no other. */
  sentTo?: string
}

/** What the form of a speaker needs to know of a kind. Its name is the text `speaker.kind.<name>`. */
export interface KindForm {
  name: string
  settings: readonly KindSetting[]
  /** Whether its rows begin with the text `speaker.note.<name>`. */
  hasNote?: boolean
  /** Whether nodes need an output for the addresses that it hands out. */
  handsOut: boolean
}

/** A device that a form offers. */
export interface ListedDevice {
  /** The value of the setting. */
  id: string
  name: string
  room: string
  /** What it can: the texts `speaker.ability.<name>`. */
  abilities: readonly string[]
}

/** A device that a search of the network has found. */
export interface FoundDevice {
  name: string
  /** Where it is, for the reader. */
  address: string
  /** The settings of a speaker that plays on it. */
  settings: Readonly<Record<string, string>>
}

/** How devices make themselves known by mDNS. */
export interface KindServices {
  /** Their types, such as `_mpd._tcp`. */
  types: readonly string[]
  /** The settings of a speaker for a service. The name is that of the service, unless it says more about itself. */
  speakerOf(service: FoundService): Pick<FoundDevice, 'settings'> & { name?: string | undefined }
}

/** What a driver may use. */
export interface DriverContext {
  RED: NodeAPI
  sounds: SoundStore
  /** The settings and secrets of the speaker's form; each kind reads its own. */
  config: Readonly<Record<string, unknown>>
}

/** A kind of speaker: its driver, and what the nodes and the form need to know of it. */
export interface SpeakerKind {
  create(context: DriverContext): Driver
  settings?: readonly KindSetting[]
  /** Its form shows the text `speaker.note.<name>`. */
  hasNote?: true
  /** Lists the devices of which its setting names one. @throws {SpeakerError} or the reason of the signal. */
  listDevices?(context: DriverContext, signal: AbortSignal): Promise<readonly ListedDevice[]>
  /** How its devices are found in the network. */
  services?: KindServices
  /** Searches devices that do not make themselves known by mDNS. */
  searchDevices?(RED: Texts, options: SearchOptions): Promise<readonly FoundDevice[]>
  /** The host that fetches the sounds from Node-RED, if the settings name it. */
  playerHost?(config: DriverContext['config']): string | undefined
  /** What it plays on. Speakers that share a device never play at the same time. Default: a device of its own. */
  devices?(config: DriverContext['config']): readonly string[]
  /** The name in the address of its page. Default: it has none. */
  page?(config: DriverContext['config']): string
  /** Nodes can use it without a configuration node. It holds nothing open while nobody uses it. */
  isBuiltIn?: true
  /** Nodes that name no speaker use it; the form does not offer it. */
  isDefault?: true
  /** It hands out addresses, for which the nodes that play need an output. */
  handsOut?: true
  /**
   * Ends the playback of a sound that was handed out: a message of the flow says that it was heard.
   * @param url `msg.url` of that message; without the address of a sound, it means the oldest one.
   */
  notePlayed?(url: unknown): void
}

/** What the form needs to know of the kinds that it offers. */
export function formsOf(kinds: Readonly<Record<string, SpeakerKind>>): KindForm[] {
  return Object.entries(kinds)
    .filter(([, { isDefault }]) => !isDefault)
    .map(([name, { settings = [], hasNote = false, handsOut = false }]) => ({
      name,
      settings,
      hasNote,
      handsOut,
    }))
}

/** The secrets of all kinds, as Node-RED expects them. */
export function credentialsOf(
  kinds: Readonly<Record<string, SpeakerKind>>,
): Record<string, { type: 'password' }> {
  const settings = Object.values(kinds).flatMap(({ settings = [] }) => settings)
  const secrets = settings.filter(({ type }) => type === 'secret')
  return Object.fromEntries(secrets.map(({ name }) => [name, { type: 'password' }]))
}
