import type { WakeWordModel } from '@parlando/core/wire'
import { askService } from '../ask-admin.ts'
import { modelLink } from '../local-models/model-link.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { choiceField } from './choice-field.ts'
import type { Choice } from './choices.ts'
import { languageName } from './language-names.ts'

/** An input for a model that finds wake words, with the list of the service and a link to install more. */
export function wakeWordModelField(
  selector: string,
  service: () => ServiceSettings | undefined,
): void {
  const field = choiceField({
    input: $(selector),
    async load() {
      const chosen = service()
      if (!chosen) throw new Error(text('no-service'))
      const request = askService<{ models?: WakeWordModel[] }>('wake-words', { service: chosen })
      const { models = [] } = await request
      if (models.length === 0) throw new Error(text('wake-words.none'))
      return models.map(toChoice)
    },
  })
  const more = modelLink('wake-word', service, () => {})
  field.after(more.element)
  $('#node-input-service').on('change', more.update)
}

function toChoice({ modelId, displayName, langCodes, phrases, isRough }: WakeWordModel): Choice {
  const languages = (langCodes ?? []).map((code) => languageName(code)).join(', ')
  const rough = isRough ? text('wake-words.rough') : ''
  return {
    value: modelId,
    label: displayName || modelId,
    note: [modelId, languages, (phrases ?? []).join(', '), rough].filter(Boolean).join(' · '),
  }
}
