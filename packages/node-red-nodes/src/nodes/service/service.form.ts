import type { Pronunciation } from '@parlando/core/text'
import { addressField, checkAddress, optionalNumber, settingOf } from '../../editor/checks.ts'
import { rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { connectionTest } from '../../editor/fields/connection-test.ts'
import { encodingField } from '../../editor/fields/encoding-fields.ts'
import { keptSoundFields } from '../../editor/fields/kept-sound-fields.ts'
import { speechModelField } from '../../editor/fields/model-fields.ts'
import { pronunciationList, pronunciationProblem } from '../../editor/fields/pronunciation-list.ts'
import { voiceField } from '../../editor/fields/voice-field.ts'
import { type FormNode, nodeForm } from '../../editor/node-form.ts'
import { text } from '../../editor/red.ts'
import { openService } from '../../editor/service-settings.ts'
import { readPronunciations } from '../../runtime/speech/pronunciation-list.ts'

export const serviceForm = nodeForm({
  usesService: false,
  defaults: {
    location: { value: 'device', required: true },
    baseUrl: { value: '', validate: checkBaseUrl },
    voice: { value: '' },
    model: { value: '' },
    encoding: { value: 'MP3' },
    whenUnused: { value: '' },
    homeAssistant: { value: false },
    pronunciations: { value: [] as Pronunciation[], validate: checkPronunciations },
    keepSound: { value: '' },
    keepMegabytes: { value: '', validate: optionalNumber({ min: 1, max: 1_000_000 }) },
    keepDays: { value: '', validate: optionalNumber({ min: 1, max: 3650 }) },
    redisUrl: { value: '', validate: checkRedisUrl },
    keepClones: { value: false },
    prepared: { value: '' },
    recentSpeech: { value: '' },
    charactersPerDay: { value: '', validate: optionalNumber({ min: 1, max: 1e12 }) },
    charactersPerMonth: { value: '', validate: optionalNumber({ min: 1, max: 1e12 }) },
    secondsPerDay: { value: '', validate: optionalNumber({ min: 1, max: 1e12 }) },
    secondsPerMonth: { value: '', validate: optionalNumber({ min: 1, max: 1e12 }) },
    requestsPerDay: { value: '', validate: optionalNumber({ min: 1, max: 1e12 }) },
    requestsPerMonth: { value: '', validate: optionalNumber({ min: 1, max: 1e12 }) },
    timeoutSeconds: { value: '', validate: optionalNumber({ min: 1, max: 3600 }) },
    retries: { value: '', validate: optionalNumber({ min: 0, max: 10 }) },
    concurrent: { value: '', validate: optionalNumber({ min: 1, max: 1000 }) },
  },
  credentials: { apiKey: { type: 'password' }, redisPassword: { type: 'password' } },
  paletteLabel() {
    return this._('service.palette-label')
  },
  label() {
    if (this.name) return this.name
    if (this.location !== 'hosted') return this._('service.label-own-settings')
    return this.baseUrl || this._('service.location.hosted')
  },
  oneditprepare() {
    const service = () => openService(this.id)
    encodingField('#node-config-input-encoding', this.encoding || 'MP3')
    speechModelField('#node-config-input-model')
    addressField('#node-config-input-baseUrl')
    const connectionInputs = ['location', 'baseUrl', 'apiKey']
      .map((name) => `#node-config-input-${name}`)
      .join()
    voiceField({ input: '#node-config-input-voice', service, serviceInput: connectionInputs })
    connectionTest({
      button: '#parlando-service-test',
      result: '#parlando-service-test-result',
      inputs: connectionInputs,
      service,
    })
    const location = () => String($('#node-config-input-location').val())
    readList = pronunciationList({
      list: $('#parlando-pronunciations'),
      entries: readPronunciations(this.pronunciations),
      service,
      readsPhonetic: () => location() === 'hosted',
      voiceId: () => String($('#node-config-input-voice').val() ?? ''),
    })
    rowsOfKind('#node-config-input-location')
    keptSoundFields(this.id)
    // Whether an address of Redis is needed depends on the place.
    $('#node-config-input-keepSound').on('change', () => {
      $('#node-config-input-redisUrl').trigger('change')
    })
    // Whether an address is needed depends on the location.
    const checkAgain = () => void $('#node-config-input-baseUrl').trigger('change')
    $('#node-config-input-location').on('change', checkAgain).trigger('change')
  },
  oneditsave() {
    this.pronunciations = readList()
  },
})

/** The list in the open form. */
let readList: () => Pronunciation[] = () => []

/** A list that is not complete, or that the voices of this device cannot read. */
function checkPronunciations(
  this: FormNode<{ location: string }>,
  value: unknown,
  _options: unknown,
): true | string {
  const entries = (Array.isArray(value) ? value : []) as Pronunciation[]
  return pronunciationProblem(entries, settingOf(this, 'location') === 'hosted') ?? true
}

function checkBaseUrl(
  this: FormNode<{ location: string }>,
  value: unknown,
  _options: unknown,
): true | string {
  return settingOf(this, 'location') !== 'hosted' || checkAddress(value)
}

function checkRedisUrl(
  this: FormNode<{ keepSound: string }>,
  value: unknown,
  _options: unknown,
): true | string {
  if (settingOf(this, 'keepSound') !== 'redis') return true
  // An environment variable of Node-RED is replaced at the deploy.
  const isAddress = /^rediss?:\/\/[^\s/]|^\$\{\S+\}$/.test(String(value ?? '').trim())
  return isAddress || text('kept-sound.no-redis')
}
