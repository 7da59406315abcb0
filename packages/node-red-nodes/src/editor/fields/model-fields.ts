import type { ChatModel } from '@parlando/core'
import type { SpeechModelId } from '@parlando/core/wire'
import { autoModel, echoModel } from '../../runtime/service-defaults.ts'
import { askService } from '../ask-admin.ts'
import { text } from '../red.ts'
import type { ServiceSettings } from '../service-settings.ts'
import { choiceField } from './choice-field.ts'
import { fieldNote } from './field-note.ts'

// The service has no endpoint for this list. Only the type comes from the core: its values would add zod to the editor.
const speechModels = Object.keys({
  'svc-tts-2': true,
  'svc-tts-2-flash': true,
  'svc-tts-1.5-max': true,
  'svc-tts-1.5-mini': true,
} satisfies Record<SpeechModelId, true>)

export function speechModelField(selector: string): void {
  choiceField({
    input: $(selector),
    load: () =>
      speechModels.map((model) => ({ value: model, label: model, note: text(`model.${model}`) })),
  })
}

/**
 * An input for a language model, with the list of the service. Below it, a note explains the echo of this device, and says if it
 * can use a language model.
 */
export function chatModelField(selector: string, service: () => ServiceSettings | undefined): void {
  const input = $(selector)
  const listModels = async () => {
    const chosen = service()
    if (!chosen) throw new Error(text('no-service'))
    return (await askService<{ models: ChatModel[] }>('models', { service: chosen })).models
  }
  const row = choiceField({
    input,
    async load() {
      return (await listModels()).map(({ model, provider, modelCreator }) => ({
        value: model,
        label: model,
        note: [...new Set([modelCreator, provider])].filter(Boolean).join(' · '),
      }))
    },
  })
  const note = fieldNote(input).insertAfter(row)
  let asking = 0
  const show = async () => {
    asking += 1
    const mine = asking
    const model = String(input.val()).trim() || autoModel
    const mayEcho = model === autoModel || model === echoModel
    if (service()?.location !== 'device' || !mayEcho) return void note.text('')
    // Without the list, the device has not started; its echo needs no start.
    const models = await listModels().catch(() => [])
    const hasModels = models.some(({ model }) => model !== echoModel)
    if (mine === asking) note.text(text(hasModels ? 'choose-model' : 'echo'))
  }
  input.on('change', show)
  $('#node-input-service').on('change', show)
  void show()
}
