import type { ChatModel } from '@parlando/core'
import { askAdmin } from './admin.ts'
import { choiceField } from './choice-field.ts'
import type { ServiceSettings } from './service-settings.ts'
import { text } from './texts.ts'

// The service has no list of them; a newer one can be typed.
const speechModels = ['svc-tts-2', 'svc-tts-2-flash', 'svc-tts-1.5-max']

/** An input for a model that speaks. */
export function speechModelField(selector: string): void {
  choiceField({
    input: $(selector),
    load: () =>
      speechModels.map((model) => ({ value: model, label: model, note: text(`model.${model}`) })),
  })
}

/** An input for a language model, with a list of those that the service has. */
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
