import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { summariseAudit } from '../../../scripts/audit-report.js'

const program = fileURLToPath(new URL('../../../scripts/audit.js', import.meta.url))

/** Runs the audit with a registry that sends this response. */
async function audit(status: number, body: object): Promise<{ code: number; output: string }> {
  const registry = createServer((request, response) => {
    request.resume()
    response.writeHead(request.method === 'POST' ? status : 404).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    registry.close()
  })
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const env = { ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0' }
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env }, (error, output, errorOutput) =>
      resolve({ code: Number(error?.code ?? 0), output: output + errorOutput }),
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

it('names a vulnerable package and fails', async () => {
  const { code, output } = await audit(200, { undici: [vulnerability] })
  expect(output).toContain('undici (high)')
  expect(code).toBe(1)
})

it('passes with a message when the registry has no list', async () => {
  const { code, output } = await audit(404, {})
  expect(output).toContain('Not checked for known vulnerabilities')
  expect(code).toBe(0)
})

it('passes without known vulnerabilities', () => {
  expect(summariseAudit({ vulnerabilities: {} }, '')).toEqual({
    exitCode: 0,
    message: expect.stringContaining('No known vulnerabilities'),
  })
})

it.each([404, 405, 501])(
  'passes for the status %i, which means that there is no list',
  (status) => {
    expect(summariseAudit({ statusCode: status }, '').exitCode).toBe(0)
  },
)

it.each([
  [{ statusCode: 401 }, 'Unauthorized'],
  [{ statusCode: 500 }, 'Server error'],
  [{}, 'npm: not found'],
])('fails with the error output of npm for the report %j', (report, errorOutput) => {
  expect(summariseAudit(report, errorOutput)).toEqual({
    exitCode: 1,
    message: `Cannot check for known vulnerabilities:\n${errorOutput}`,
  })
})
