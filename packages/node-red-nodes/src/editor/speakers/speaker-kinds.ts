import type { KindForm, KindSetting } from '../../speakers/speaker-kind.ts'
import { optionalAddress } from '../checks.ts'
import { RED } from '../red.ts'
import { isSharedRow } from '../shared-rows.ts'

/** The kinds of speakers, which the server lists as a setting of Node-RED. */
export const speakerKinds: readonly KindForm[] = RED.settings.parlandoSpeakerKinds ?? []

const settings = speakerKinds.flatMap((kind) => kind.settings)

/** The names of the settings that hold a device. */
export const deviceSettings = settings
  .filter(({ type }) => type === 'device')
  .map(({ name }) => name)

/** The settings of all kinds that a speaker saves. */
export const kindDefaults = Object.fromEntries(
  settings
    .filter(({ type }) => type !== 'secret')
    .map(({ name, default: value = '', type }) => [
      name,
      { value, ...(type === 'address' && { validate: optionalAddress }) },
    ]),
)

export const kindCredentials = Object.fromEntries(
  settings
    .filter(({ type }) => type === 'secret')
    .map(({ name }) => [name, { type: 'password' as const }]),
)

/** A text of the speaker node, in the language of the editor, such as `speaker.kind.mpd`. */
export function speakerText(key: string): string {
  return RED._(`@parlando/node-red/parlando-speaker:${key}`)
}

/** Adds the kinds to the form of a speaker, each with the rows of its settings and with its note. */
export function addKinds(form: DocumentFragment): void {
  const select = $(form).find('[data-row="kind"]')
  const test = $(form).find('#parlando-speaker-test').parent()
  for (const { name: kind, settings, hasNote, handsOut } of speakerKinds) {
    const key = `speaker.kind.${kind}`
    $('<option></option>').attr({ value: kind, 'data-i18n': key }).appendTo(select)
    let next = $(form).find('[data-row="room"]')
    // From the last one, so that its own rows come before those that other kinds have, too.
    for (const setting of [...settings].reverse()) {
      const shared = $(form).find(`[data-row="${setting.name}"][data-kind]`)
      shared.attr('data-kind', `${shared.attr('data-kind')} ${kind}`)
      next = shared.length > 0 ? shared : fieldOf(kind, setting).insertBefore(next)
    }
    if (hasNote) noteOf(kind).insertBefore(next)
    if (handsOut) test.attr('data-not-kind', `${test.attr('data-not-kind')} ${kind}`)
  }
}

function noteOf(kind: string): JQuery {
  const note = { class: 'parlando-note', 'data-kind': kind, 'data-i18n': `speaker.note.${kind}` }
  return $('<div></div>').attr(note)
}

function fieldOf(kind: string, { name, options, type, placeholder }: KindSetting): JQuery {
  const field = $(options ? '<select></select>' : '<input>')
  field.attr({ 'data-row': name, 'data-kind': kind })
  if (type === 'secret') field.attr({ type: 'password', autocomplete: 'off' })
  if (isSharedRow(name)) return field
  field.attr({ 'data-label': `speaker.label.${name}`, 'data-icon': 'fa-cog' })
  if (placeholder) field.attr('placeholder', placeholder)
  for (const value of options ?? []) {
    const key = `speaker.label.${name}-${value}`
    $('<option></option>').attr({ value, 'data-i18n': key }).appendTo(field)
  }
  return field
}
