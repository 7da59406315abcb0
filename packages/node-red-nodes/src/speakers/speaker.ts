import type { Node } from 'node-red'
import type { Microphone } from '../microphones/microphone.ts'
import type { Driver } from './driver.ts'

export interface SpeakerNode extends Node {
  /** The name of its page; empty if it has none. */
  page: string
}

/** A speaker that nodes can choose. */
export interface Speaker {
  /** The id of its configuration node, or the kind of a speaker without one. */
  id: string
  name: string
  /** What it plays on. Speakers that share a device never play at the same time. */
  devices: readonly string[]
  /** Whether it hands out addresses, so that the node that plays needs an output for them. */
  handsOut: boolean
  /** Announcements can name a room instead of its speakers. */
  room: string
  settings: SpeakerSettings
  driver: Driver
  /** The speakers of a group: it stands for them, and has no device of its own. */
  members?(): readonly Speaker[]
  /** The microphone that hears the answers to a question. Default: that of its driver, if it has one. */
  questionMicrophone?: Microphone | undefined
  /** Its node has ended: a deploy replaces or removes it. */
  isClosed?: boolean
  /** The speakers that say what this one cannot. Default: none. */
  instead?(): readonly Speaker[]
}

/** The settings of a speaker that hold for every sound. */
export interface SpeakerSettings {
  /** 0 to 100, for sounds that state none. */
  volume: number
  /** 0 to 100: no sound is louder. */
  maxVolume: number
  /** Silence before the first sample, for speakers that swallow the start of a sound. */
  leadInMs: number
  /** Silence after the last sample, for speakers that swallow the end of a sound. */
  leadOutMs: number
  /** Voice and language of announcements on this speaker; empty: those of the node. */
  voice: string
  language: string
  quietHours?: QuietHours
}

/** The hours in which a speaker plays only what is important. */
export interface QuietHours {
  /** Local time, such as `22:00`. An end before the start is on the next day. */
  from: string
  to: string
  /** Lower priorities are affected. */
  minPriority: 'normal' | 'urgent' | 'alarm'
  /** What happens to them: they are not said, said at a quarter of the volume, or said when the quiet hours end. */
  action: 'drop' | 'softly' | 'hold'
}
