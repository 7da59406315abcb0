import { settingOf, typedField, typedSetting } from '../../editor/checks.ts'
import { rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { voiceLanguageField } from '../../editor/fields/language-field.ts'
import { type FormNode, nodeForm } from '../../editor/node-form.ts'

export const cloneVoiceForm = nodeForm({
  defaults: {
    from: { value: 'message', required: true },
    samples: { value: 'payload', validate: typedSetting('samplesType') },
    samplesType: { value: 'msg' },
    files: { value: '', validate: checkFiles },
    voiceName: { value: 'My voice', validate: typedSetting('voiceNameType') },
    voiceNameType: { value: 'str' },
    langCode: { value: 'EN_US', required: true, validate: checkLanguage },
    removeBackgroundNoise: { value: false },
    keepRecording: { value: false },
  },
  paletteLabel: 'clone voice',
  inputPort: 'clone-voice.port.samples',
  outputPorts: ['clone-voice.port.voice'],
  oneditprepare() {
    typedField('samples', ['msg', 'flow', 'global', 'jsonata'])
    typedField('voiceName', ['str', 'msg', 'flow', 'global', 'jsonata', 'env'])
    rowsOfKind('#node-input-from')
    const keep = $('#node-input-keepRecording')
    keep.on('change', () => void $('.parlando-clone-keep').toggle(keep.is(':checked')))
    keep.trigger('change')
    voiceLanguageField('#node-input-langCode', this._('clone-voice.language-auto'))
  },
})

type CloneVoiceNode = FormNode<{ from: string }>

function checkFiles(this: CloneVoiceNode, files: unknown, _options: unknown): true | string {
  const isGiven = settingOf(this, 'from') !== 'files' || String(files).trim() !== ''
  return isGiven || this._('clone-voice.check.files')
}

function checkLanguage(this: CloneVoiceNode, code: unknown, _options: unknown): true | string {
  const isCode = /^(AUTO|[A-Z]{2,3}(_[A-Z0-9]{2,8})+)$/.test(String(code))
  return isCode || this._('clone-voice.check.language')
}
