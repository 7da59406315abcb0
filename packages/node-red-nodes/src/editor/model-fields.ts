import type { ChatModel } from '@parlando/core'
import type { SpeechModelId } from '@parlando/core/wire'
import { askAdmin } from './admin.ts'
import { choiceField } from './choice-field.ts'
import type { ServiceSettings } from './service-settings.ts'
import { text } from './texts.ts'

// The service has no endpoint for this list. Only the type comes from the core: its values would add zod to the editor.
const speechModels = Object.keys({
  'svc-tts-2': true,
  'svc-tts-2-flash': true,
  'svc-tts-1.5-max': true,
} satisfies Record<SpeechModelId, true>)

/** An input for a speech model. */
export function speechModelField(selector: string): void {
  choiceField({
    input: $(selector),
    load: () =>
      speechModels.map((model) => ({ value: model, label: model, note: text(`model.${model}`) })),
  })
}

/** An input for a language model, with the list of the service. */
export function chatModelField(selector: string, service: () => ServiceSettings | undefined): void {
  choiceField({
    input: $(selector),
    async load() {
      const chosen = service()
      if (!chosen) throw new Error(text('no-service'))
      const { models } = await askAdmin<{ models: ChatModel[] }>('models', { service: chosen })
      return models.map(({ model, provider, modelCreator }) => ({
        value: model,
        label: model,
        note: [...new Set([modelCreator, provider])].filter(Boolean).join(' · '),
      }))
    },
  })
}
