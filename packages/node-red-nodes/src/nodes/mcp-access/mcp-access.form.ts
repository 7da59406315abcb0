import { nodeForm } from '../../editor/node-form.ts'

export const mcpAccessForm = nodeForm({
  usesService: false,
  defaults: {},
  credentials: { key: { type: 'password' } },
  paletteLabel() {
    return this._('mcp-access.palette-label')
  },
  label() {
    return this.name || this._('mcp-access.palette-label')
  },
})
