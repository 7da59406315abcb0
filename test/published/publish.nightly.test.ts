import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { packPackages } from '@parlando/test-support/published/packed-packages'
import { packages } from '@parlando/test-support/published/published-packages'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)
const archives = await packPackages()

/** A registry that has no package yet: the versions of the last release would not be accepted again. */
const registry = createServer((request, response) => {
  request.resume()
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
})
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`
})
afterAll(() => {
  registry.closeAllConnections()
  registry.close()
})

it.each(packages)(
  'npm would publish %s for everybody, and has nothing to correct in it',
  async (path) => {
    const { archive, name, files } = archives[path]!
    const { stdout, stderr } = await run(
      'npm',
      ['publish', '--dry-run', '--json', '--registry', address, archive],
      { shell: process.platform === 'win32', maxBuffer: 16 * 1024 * 1024 },
    )
    const published = JSON.parse(stdout)
    const { id, files: sent } = published[name] ?? published
    expect(id).toMatch(`${name}@`)
    expect(sent.length).toBe(files.length)
    expect(stderr).toContain('with tag latest and public access (dry-run)')
    const warnings = stderr.split('\n').filter((line) => /^npm (warn|error)/.test(line))
    // Nobody is logged in here, and the settings of npm are those of this machine.
    const isOfMachine = /requires you to be logged in|Unknown (env|user) config/
    expect(warnings.filter((line) => !isOfMachine.test(line))).toEqual([])
  },
)
