import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }

it('the library has the buffer that gets a limit, and no user has a version that was not tested', () => {
  const transport = new StdioClientTransport({ command: 'never started' })
  expect(transport['_readBuffer'].append).toBeInstanceOf(Function)
  expect(packageJson.dependencies['@modelcontextprotocol/client']).toMatch(/^~/)
})
