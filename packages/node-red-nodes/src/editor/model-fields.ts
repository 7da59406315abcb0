import type { ChatModel } from '@parlando/core'
import type { SpeechModelId } from '@parlando/core/wire'
import { echoModel } from '../shared/defaults.ts'
import { askService } from './admin.ts'
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

/**
 * An input for a language model, with the list of the service. Below it, a note explains the echo of this device.
 */
export function chatModelField(selector: string, service: () => ServiceSettings | undefined): void {
  const input = $(selector)
  const row = choiceField({
    input,
    async load() {
      const chosen = service()
      if (!chosen) throw new Error(text('no-service'))
      const { models } = await askService<{ models: ChatModel[] }>('models', { service: chosen })
      return models.map(({ model, provider, modelCreator }) => ({
        value: model,
        label: model,
        note: [...new Set([modelCreator, provider])].filter(Boolean).join(' · '),
      }))
    },
  })
  const note = $('<div class="parlando-note" role="status"></div>').insertAfter(row)
  const show = () => {
    const model = String(input.val()).trim() || echoModel
    note.text(service()?.location === 'device' && model === echoModel ? text('echo') : '')
  }
  input.on('change', show)
  $('#node-input-service').on('change', show)
  show()
}
