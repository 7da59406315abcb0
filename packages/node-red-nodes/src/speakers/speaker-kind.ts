import type { NodeAPI } from 'node-red'
import type { KindForm, KindSetting } from '../shared/speaker-kind-form.ts'
import type { SoundStore } from '../sounds/sound-store.ts'
import type { Driver } from './driver.ts'

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
}

/** What the form needs to know of the kinds that it offers. */
export function formsOf(kinds: Readonly<Record<string, SpeakerKind>>): KindForm[] {
  return Object.entries(kinds)
    .filter(([, { isDefault }]) => !isDefault)
    .map(([name, { settings = [], handsOut = false }]) => ({ name, settings, handsOut }))
}

/** The secrets of all kinds, as Node-RED expects them. */
export function credentialsOf(
  kinds: Readonly<Record<string, SpeakerKind>>,
): Record<string, { type: 'password' }> {
  const settings = Object.values(kinds).flatMap(({ settings = [] }) => settings)
  const secrets = settings.filter(({ type }) => type === 'secret')
  return Object.fromEntries(secrets.map(({ name }) => [name, { type: 'password' }]))
}
