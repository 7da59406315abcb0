import { languageOf } from '@parlando/core/text'
import type { TranscriptionModel } from '@parlando/core/wire'
import { askService } from '../ask-admin.ts'
import { modelLink } from '../local-models/model-link.ts'
import { RED, text } from '../red.ts'
import { type ServiceSettings, serviceWithId } from '../service-settings.ts'
import { choiceField } from './choice-field.ts'
import type { Choice } from './choices.ts'
import { fieldNote } from './field-note.ts'
import { languageName } from './language-names.ts'

type Service = () => ServiceSettings | undefined

/** An input for a recogniser, with the list of the service and a link to install more. */
export function recogniserField(selector: string, service: Service): void {
  const field = choiceField({
    input: $(selector),
    async load() {
      const models = await listRecognisers(service())
      if (!models) throw new Error(text('recognisers.not-listed'))
      if (models.length === 0) throw new Error(text('recognisers.none'))
      return models.map(toChoice)
    },
  })
  const more = modelLink('recogniser', service, recogniserNote(service))
  field.after(more.element)
  $('#node-input-service').on('change', more.update)
}

/**
 * A note below the service, which says how to install a recogniser if there is none.
 * @returns a function that updates the note.
 */
export function recogniserNote(service: Service): () => void {
  const row = $('#node-input-service').closest('.form-row')
  const note = fieldNote().addClass('parlando-problem').insertAfter(row)
  const { link, update } = installNote(note, service, async () => {
    // The list reports why the service does not respond.
    const models = await listRecognisers(service()).catch(() => undefined)
    return models?.length === 0 ? text('recognisers.none') : undefined
  })
  note.after(link)
  $('#node-input-service').on('change', update)
  update()
  return update
}

/**
 * A note below the field that lets people speak to a speaker: whether this device has a recogniser for their language.
 * @param isOn whether the field lets them.
 * @param language the field with the language of the speaker; empty: that of Node-RED.
 */
export function spokenCommandsNote(
  field: JQuery<HTMLElement>,
  language: JQuery<HTMLElement>,
  isOn: () => boolean,
): void {
  const thisDevice = () => serviceWithId('')
  const note = fieldNote(field).addClass('parlando-problem')
  const { link, update } = installNote(note, thisDevice, async () => {
    const code = String(language.val() || RED.settings.parlandoServiceLanguage || 'en-US')
    const models = isOn() && (await listRecognisers(thisDevice()).catch(() => undefined))
    if (!models || models.some((model) => isFor(model, code))) return undefined
    return text('recognisers.none-for', { language: languageName(code) })
  })
  field.after(note, link)
  field.add(language).on('change', update)
  update()
}

/**
 * Shows in a note which recogniser is missing, and the link that installs one.
 * @param findMissing the text of the note; nothing if there is a recogniser.
 */
function installNote(
  note: JQuery<HTMLElement>,
  service: Service,
  findMissing: () => Promise<string | undefined>,
): { link: JQuery<HTMLElement>; update(): void } {
  let asking = 0
  const show = async () => {
    asking += 1
    const mine = asking
    install.element.hide()
    note.text('')
    const missing = await findMissing()
    if (mine !== asking || missing === undefined) return
    note.text(missing)
    install.update()
  }
  const update = () => void show()
  const install = modelLink('recogniser', service, update)
  return { link: install.element, update }
}

/** A model without languages has many, or its languages are unknown. */
function isFor({ langCodes }: TranscriptionModel, language: string): boolean {
  const codes = langCodes ?? []
  return codes.length === 0 || codes.some((code) => languageOf(code) === languageOf(language))
}

/** @returns `undefined` if the service does not list its recognisers. */
async function listRecognisers(
  service: ReturnType<Service>,
): Promise<TranscriptionModel[] | undefined> {
  if (!service) throw new Error(text('no-service'))
  return (await askService<{ models?: TranscriptionModel[] }>('recognisers', { service })).models
}

function toChoice({ modelId, displayName, langCodes }: TranscriptionModel): Choice {
  const languages = (langCodes ?? []).map((code) => languageName(code)).join(', ')
  return {
    value: modelId,
    label: displayName || modelId,
    note: [modelId, languages].filter(Boolean).join(' · '),
  }
}
