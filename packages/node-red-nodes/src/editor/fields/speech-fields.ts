import { optionalNumber, typedField, typedSetting } from '../checks.ts'
import { chosenService } from '../service-settings.ts'
import { languageField } from './language-field.ts'
import { speechModelField } from './model-fields.ts'
import { voiceField } from './voice-field.ts'

/** The settings of a node that makes speech. */
export const speechDefaults = {
  text: { value: 'payload', validate: typedSetting('textType') },
  textType: { value: 'msg' },
  voice: { value: '' },
  model: { value: '' },
  speakingRate: { value: '', validate: optionalNumber({ min: 0.5, max: 1.5, isInteger: false }) },
  language: { value: '' },
  clean: { value: false },
}

/** Their fields in the open form of the node. */
export function speechFields(): void {
  typedField('text', ['msg', 'flow', 'global', 'str', 'jsonata', 'env'])
  voiceField({
    input: '#node-input-voice',
    service: chosenService,
    serviceInput: '#node-input-service',
    modelId: () => String($('#node-input-model').val()),
    languageInput: '#node-input-language',
  })
  speechModelField('#node-input-model')
  languageField('#node-input-language')
}
