import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../../scripts/audit.js', import.meta.url))

/** Runs the audit with a registry that responds like this. */
async function audit(status: number, answer: object): Promise<{ code: number; said: string }> {
  const registry = createServer((request, response) => {
    request.resume()
    response.writeHead(request.method === 'POST' ? status : 404).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    registry.close()
  })
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const env = { ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0' }
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env }, (error, output, complaints) =>
      resolve({ code: Number(error?.code ?? 0), said: output + complaints }),
    )
  })
}

const vulnerability = {
  id: 1,
  url: 'https://example.org/1',
  title: 'A vulnerability',
  severity: 'high',
  vulnerable_versions: '*',
}

it('passes without known vulnerabilities', async () => {
  const { code, said } = await audit(200, {})
  expect(said).toContain('No known vulnerabilities')
  expect(code).toBe(0)
})

it('names a vulnerable package and fails', async () => {
  const { code, said } = await audit(200, { undici: [vulnerability] })
  expect(said).toContain('undici (high)')
  expect(code).toBe(1)
})

it.each([404, 405, 501])(
  'passes with a message when the registry has no list: %i',
  async (status) => {
    const { code, said } = await audit(status, {})
    expect(said).toContain('Not checked for known vulnerabilities')
    expect(code).toBe(0)
  },
)

it.each([401, 500])('fails when the registry does not respond as expected: %i', async (status) => {
  const { code, said } = await audit(status, {})
  expect(said).toContain('Cannot check for known vulnerabilities')
  expect(code).toBe(1)
})
