import type { TranscriptionModel } from '@parlando/core/wire'
import { askService } from './ask-admin.ts'
import { choiceField } from './choice-field.ts'
import type { Choice } from './choices.ts'
import { fieldNote } from './field-note.ts'
import { languageName } from './language-names.ts'
import { modelLink } from './local-models/model-link.ts'
import { text } from './red.ts'
import type { ServiceSettings } from './service-settings.ts'

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
  let asking = 0
  const show = async () => {
    asking += 1
    const mine = asking
    install.element.hide()
    note.text('')
    // The list reports why the service does not respond.
    const models = await listRecognisers(service()).catch(() => undefined)
    if (mine !== asking || models?.length !== 0) return
    note.text(text('recognisers.none'))
    install.update()
  }
  const update = () => void show()
  const install = modelLink('recogniser', service, update)
  note.after(install.element)
  $('#node-input-service').on('change', update)
  update()
  return update
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
