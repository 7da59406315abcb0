import { addressField, checkAddress, optionalNumber, settingOf } from '../../editor/checks.ts'
import { rowsOfKind } from '../../editor/conditional-rows.ts'
import { connectionTest } from '../../editor/connection-test.ts'
import { encodingField } from '../../editor/encoding-fields.ts'
import { speechModelField } from '../../editor/model-fields.ts'
import { type FormNode, nodeForm } from '../../editor/node-form.ts'
import { openService } from '../../editor/service-settings.ts'
import { voiceField } from '../../editor/voice-field.ts'

export const serviceForm = nodeForm({
  usesService: false,
  defaults: {
    location: { value: 'device', required: true },
    baseUrl: { value: '', validate: checkBaseUrl },
    voice: { value: '' },
    model: { value: '' },
    encoding: { value: 'MP3' },
    whenUnused: { value: '' },
    homeAssistant: { value: false },
    timeoutSeconds: { value: '', validate: optionalNumber({ min: 1, max: 3600 }) },
    retries: { value: '', validate: optionalNumber({ min: 0, max: 10 }) },
    concurrent: { value: '', validate: optionalNumber({ min: 1, max: 1000 }) },
  },
  credentials: { apiKey: { type: 'password' } },
  paletteLabel() {
    return this._('service.palette-label')
  },
  label() {
    if (this.name) return this.name
    if (this.location !== 'hosted') return this._('service.label-own-settings')
    return this.baseUrl || this._('service.location.hosted')
  },
  oneditprepare() {
    const service = () => openService(this.id)
    encodingField('#node-config-input-encoding', this.encoding || 'MP3')
    speechModelField('#node-config-input-model')
    addressField('#node-config-input-baseUrl')
    const connectionInputs = ['location', 'baseUrl', 'apiKey']
      .map((name) => `#node-config-input-${name}`)
      .join()
    voiceField({ input: '#node-config-input-voice', service, serviceInput: connectionInputs })
    connectionTest({
      button: '#parlando-service-test',
      result: '#parlando-service-test-result',
      inputs: connectionInputs,
      service,
    })
    rowsOfKind('#node-config-input-location')
    // Whether an address is needed depends on the location.
    const checkAgain = () => void $('#node-config-input-baseUrl').trigger('change')
    $('#node-config-input-location').on('change', checkAgain).trigger('change')
  },
})

function checkBaseUrl(
  this: FormNode<{ location: string }>,
  value: unknown,
  _options: unknown,
): true | string {
  return settingOf(this, 'location') !== 'hosted' || checkAddress(value)
}
