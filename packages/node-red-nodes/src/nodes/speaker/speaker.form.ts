import { askAdmin } from '../../editor/ask-admin.ts'
import { optionalNumber } from '../../editor/checks.ts'
import { rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { languageField } from '../../editor/fields/language-field.ts'
import { spokenCommandsNote } from '../../editor/fields/recogniser-field.ts'
import { nodeForm } from '../../editor/node-form.ts'
import { deviceField } from '../../editor/speakers/device-field.ts'
import { playerAddressNote, speakerPage } from '../../editor/speakers/page-address.ts'
import { listedSpeakers, otherSpeakersDefault } from '../../editor/speakers/speaker-configs.ts'
import {
  addKinds,
  deviceSettings,
  kindCredentials,
  kindDefaults,
} from '../../editor/speakers/speaker-kinds.ts'
import { otherSpeakersField } from '../../editor/speakers/speaker-list.ts'
import { speakerSearch } from '../../editor/speakers/speaker-search.ts'
import { pageName } from '../../page-server/page-name.ts'
import type { FoundSpeaker } from '../../speakers/search/search-speakers.ts'

const percent = optionalNumber({ min: 0, max: 100 })
const milliseconds = optionalNumber({ min: 0, max: 1000 })

export const speakerForm = nodeForm({
  usesService: false,
  defaults: {
    kind: { value: 'editor', required: true },
    ...kindDefaults,
    members: otherSpeakersDefault,
    room: { value: '' },
    volume: { value: '', validate: percent },
    maxVolume: { value: '', validate: percent },
    instead: otherSpeakersDefault,
    microphone: { value: '' },
    voice: { value: '' },
    language: { value: '' },
    leadIn: { value: '', validate: milliseconds },
    leadOut: { value: '', validate: milliseconds },
    quietFrom: { value: '' },
    quietTo: { value: '' },
    quietBelow: { value: 'urgent' },
    quietAction: { value: 'drop' },
  },
  credentials: kindCredentials,
  complete: addKinds,
  paletteLabel() {
    return this._('speaker.palette-label')
  },
  label() {
    return this.name || this._(`speaker.kind.${this.kind}`)
  },
  oneditprepare() {
    otherSpeakersField('members', this, this.members)
    otherSpeakersField('instead', this, this.instead)
    rowsOfKind('#node-config-input-kind')
    microphoneField(this)
    languageField('#node-config-input-language')
    const hearing = $('#node-config-input-hearing')
    const isOn = () => hearing.val() === 'yes'
    spokenCommandsNote(hearing, $('#node-config-input-language'), isOn)
    playerAddressNote('#node-config-input-address')
    speakerPage(this.id)
    const readForm = () => ({ id: this.id, speaker: readSpeaker() })
    for (const name of deviceSettings) deviceField($(`#node-config-input-${name}`), readForm)
    testButton(readForm, this._('speaker.label.testing'))
    speakerSearch({
      async play({ kind, settings }) {
        const speaker = { ...readFields(openSettings), ...settings, kind }
        return (await askAdmin<{ message: string }>('test-speaker', { speaker })).message
      },
      choose: fillIn,
    })
  },
})

/** Offers the pages, which have microphones. One that was renamed or deleted stays in the list. */
function microphoneField({ id, z = '', microphone = '' }: MicrophoneNode): void {
  const field = $('#node-config-input-microphone')
  const pages = listedSpeakers(z).filter((one) => one.kind === 'page' && one.id !== id)
  const offered = pages.map(
    ({ name = '' }) => [`page ${pageName(name || 'speaker')}`, name] as const,
  )
  const isKnown = ['', 'machine', ...offered.map(([value]) => value)].includes(microphone)
  for (const [value, label] of isKnown
    ? offered
    : [...offered, [microphone, microphone] as const]) {
    field.append($('<option></option>').val(value).text(label))
  }
  field.val(microphone)
}

interface MicrophoneNode {
  id: string
  z?: string
  microphone?: string
}

/** Those that another device of any kind may receive. */
const openSettings = [
  ...['kind', 'name', 'volume', 'maxVolume', 'leadIn', 'leadOut'],
  ...Object.keys(kindDefaults),
]

function readSpeaker(): Record<string, unknown> {
  return readFields([...openSettings, ...Object.keys(kindCredentials)])
}

function readFields(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, $(`#node-config-input-${name}`).val()]))
}

function fillIn({ kind, name, settings }: FoundSpeaker): void {
  for (const [setting, value] of Object.entries({ kind, ...settings })) {
    $(`#node-config-input-${setting}`).val(value).trigger('change')
  }
  const field = $('#node-config-input-name')
  if (!field.val()) field.val(name).trigger('input')
  field.trigger('focus')
}

/** Plays a chime with the settings in the form, and says what happened. */
function testButton(readForm: () => object, testing: string): void {
  const button = $('#parlando-speaker-test')
  const result = $('#parlando-speaker-result')
  button.on('click', async () => {
    button.prop('disabled', true)
    result.removeClass('parlando-problem').text(testing)
    try {
      result.text((await askAdmin<{ message: string }>('test-speaker', readForm())).message)
    } catch (error) {
      result.addClass('parlando-problem').text((error as Error).message)
    }
    button.prop('disabled', false)
  })
}
