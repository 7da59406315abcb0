import type { TranscriptionModel } from '@parlando/core/wire'
import { askService } from './admin.ts'
import { choiceField } from './choice-field.ts'
import type { Choice } from './choices.ts'
import { languageName } from './languages.ts'
import { modelLink } from './local-models/model-link.ts'
import type { ServiceSettings } from './service-settings.ts'
import { text } from './texts.ts'

/**
 * An input for a recogniser, with the list of the service and a link to install more. Below the service, a note says how to
 * install a recogniser if there is none.
 */
export function recogniserField(
  selector: string,
  service: () => ServiceSettings | undefined,
): void {
  const field = choiceField({
    input: $(selector),
    async load() {
      const models = await listRecognisers(service())
      if (!models) throw new Error(text('recognisers.not-listed'))
      if (models.length === 0) throw new Error(text('recognisers.none'))
      return models.map(toChoice)
    },
  })
  const row = $('#node-input-service').closest('.form-row')
  const note = $('<div class="parlando-note parlando-problem" role="status"></div>').insertAfter(
    row,
  )
  const [more, install] = [field, note].map((place) => {
    const link = modelLink('recogniser', service, () => void show())
    place.after(link.element)
    return link
  })
  let asking = 0
  const show = async () => {
    asking += 1
    const mine = asking
    more!.update()
    install!.element.hide()
    note.text('')
    // The list reports why the service does not respond.
    const models = await listRecognisers(service()).catch(() => undefined)
    if (mine !== asking || models?.length !== 0) return
    note.text(text('recognisers.none'))
    install!.update()
  }
  $('#node-input-service').on('change', show)
  void show()
}

/** @returns `undefined` if the service does not list its recognisers. */
async function listRecognisers(
  service: ServiceSettings | undefined,
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
