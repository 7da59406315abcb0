import { addressField, checkAddress, optionalNumber, settingOf } from '../../editor/checks.ts'
import { rowsOfKind } from '../../editor/fields/conditional-rows.ts'
import { type FormNode, nodeForm } from '../../editor/node-form.ts'

export const mcpServerForm = nodeForm({
  usesService: false,
  defaults: {
    kind: { value: 'address' },
    address: { value: '', validate: checkMcpAddress },
    command: { value: '', validate: checkCommand },
    variables: { value: '' },
    tools: { value: '' },
    timeoutSeconds: { value: '', validate: optionalNumber({ min: 1, max: 600 }) },
  },
  credentials: { key: { type: 'password' } },
  paletteLabel() {
    return this._('mcp-server.palette-label')
  },
  label() {
    const place = this.kind === 'program' ? this.command : this.address
    return this.name || place || this._('mcp-server.label.none')
  },
  oneditprepare() {
    addressField('#node-config-input-address')
    rowsOfKind('#node-config-input-kind')
    // What is needed depends on the kind.
    const checkAgain = () => {
      $('#node-config-input-address, #node-config-input-command').trigger('change')
    }
    $('#node-config-input-kind').on('change', checkAgain).trigger('change')
  },
})

type McpNode = FormNode<{ kind: string }>

function checkMcpAddress(this: McpNode, value: unknown, _options: unknown): true | string {
  return settingOf(this, 'kind') === 'program' || checkAddress(value)
}

function checkCommand(this: McpNode, value: unknown, _options: unknown): boolean {
  return settingOf(this, 'kind') !== 'program' || String(value ?? '').trim() !== ''
}
