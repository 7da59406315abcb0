import { describe, expect, it } from 'vitest'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'

const defaults = {
  volume: 100,
  maxVolume: 100,
  leadInMs: 0,
  leadOutMs: 300,
  voice: '',
  language: '',
}

describe('the settings of a speaker', () => {
  it.each<[string, SpeakerForm, object]>([
    ['have defaults', {}, {}],
    ['of empty fields are the defaults', { volume: '', leadIn: '', quietFrom: '' }, {}],
    [
      'are numbers or their text',
      { volume: '40', maxVolume: 60, leadIn: '250', leadOut: 0 },
      { volume: 40, maxVolume: 60, leadInMs: 250, leadOutMs: 0 },
    ],
    [
      'are limited',
      { volume: -5, maxVolume: '1000', leadIn: 1e9, leadOut: -1 },
      { volume: 0, maxVolume: 100, leadInMs: 1000, leadOutMs: 0 },
    ],
    ['name voice and language', { voice: 'ada', language: 'de' }, { voice: 'ada', language: 'de' }],
    ['have no quiet hours without an end', { quietFrom: '22:00' }, {}],
    ['have no quiet hours without a start', { quietTo: '06:00' }, {}],
    [
      'have quiet hours from a start to an end',
      { quietFrom: '22:00', quietTo: '06:00' },
      { quietHours: { from: '22:00', to: '06:00', minPriority: 'urgent', action: 'drop' } },
    ],
    [
      'state what quiet hours do',
      { quietFrom: '22:00', quietTo: '06:00', quietBelow: 'alarm', quietAction: 'hold' },
      { quietHours: { from: '22:00', to: '06:00', minPriority: 'alarm', action: 'hold' } },
    ],
    [
      'replace choices that do not exist',
      { quietFrom: '1', quietTo: '2', quietBelow: 'loud', quietAction: 'shout' },
      { quietHours: { from: '1', to: '2', minPriority: 'urgent', action: 'drop' } },
    ],
  ])('%s', (_what, form, expected) => {
    expect(readSpeakerSettings(form)).toEqual({ ...defaults, ...expected })
  })

  it.each(['loud', {}, null, Number.NaN])(
    'use the default for a value of a hand-written flow that is not a number: %j',
    (volume) => {
      expect(readSpeakerSettings({ volume } as SpeakerForm)).toEqual(defaults)
    },
  )
})
