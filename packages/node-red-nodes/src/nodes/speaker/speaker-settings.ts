import { readSettings } from '../../runtime/settings.ts'
import type { QuietHours, SpeakerSettings } from '../../speakers/speaker.ts'

/** Settings of the form: numbers, often as text. A hand-written flow may leave each out. */
export interface SpeakerForm {
  name?: string
  kind?: string
  room?: string
  /** The ids or rooms of the speakers of a group. */
  members?: readonly string[]
  /** The device whose microphone hears the answers, such as `machine` or `page kitchen`; empty: its own. */
  microphone?: string
  /** The ids or rooms of the speakers that say what this one cannot. */
  instead?: readonly string[]
  volume?: string | number
  maxVolume?: string | number
  leadIn?: string | number
  leadOut?: string | number
  voice?: string
  language?: string
  quietFrom?: string
  quietTo?: string
  quietBelow?: string
  quietAction?: string
}

const levels = ['normal', 'urgent', 'alarm'] as const
const actions = ['drop', 'softly', 'hold'] as const

export function readSpeakerSettings(form: SpeakerForm): SpeakerSettings {
  const read = readSettings({}, form, {
    volume: { form: 'volume', isNumber: true },
    maxVolume: { form: 'maxVolume', isNumber: true },
    leadIn: { form: 'leadIn', isNumber: true },
    leadOut: { form: 'leadOut', isNumber: true },
    voice: { form: 'voice', fallback: '' },
    language: { form: 'language', fallback: '' },
    quietFrom: { form: 'quietFrom', fallback: '' },
    quietTo: { form: 'quietTo', fallback: '' },
    quietBelow: { form: 'quietBelow' },
    quietAction: { form: 'quietAction' },
  })
  const quietHours: QuietHours = {
    from: String(read.quietFrom),
    to: String(read.quietTo),
    minPriority: levels.find((level) => level === read.quietBelow) ?? 'urgent',
    action: actions.find((action) => action === read.quietAction) ?? 'drop',
  }
  return {
    volume: within(read.volume, 0, 100, 100),
    maxVolume: within(read.maxVolume, 0, 100, 100),
    leadInMs: within(read.leadIn, 0, 1000, 0),
    leadOutMs: within(read.leadOut, 0, 1000, 300),
    voice: String(read.voice),
    language: String(read.language),
    ...(quietHours.from && quietHours.to && { quietHours }),
  }
}

function within(value: number | undefined, min: number, max: number, fallback: number): number {
  // Not a number: a hand-written flow may hold anything.
  return value === undefined || Number.isNaN(value) ? fallback : Math.min(Math.max(value, min), max)
}
