import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { searchNetwork } from '@parlando/test-support/players/upnp/search-network'
import { needsNetwork, upnpNetwork } from '@parlando/test-support/players/upnp/upnp-network'
import { beforeAll, describe, expect, it } from 'vitest'
import { usePythonEnvironment } from './python/python-environment.ts'

const program = fileURLToPath(new URL('python/multicast_dns.py', import.meta.url))
const service = fileURLToPath(new URL('../../packages/local-service/dist/cli.js', import.meta.url))

describe('the mDNS of Home Assistant', needsNetwork(), () => {
  let python: string
  beforeAll(() => {
    const install = (pip: (...args: string[]) => void) => pip('zeroconf')
    python = join(usePythonEnvironment('zeroconf', { minVersion: 10, install }), 'python')
  }, 600_000)

  it('makes a speaker known that a search finds', async () => {
    const { host } = upnpNetwork!
    const device = [python, program, 'publish', '_mpd._tcp.local.', 'Kitchen', '6600', host]
    expect(await searchNetwork('Kitchen', device)).toEqual([
      {
        kind: 'mpd',
        name: 'Kitchen',
        address: `${host}:6600`,
        settings: { mpd: `${host}:6600` },
      },
    ])
  })

  it('finds the Wyoming server of the service', async () => {
    const { host, enter } = upnpNetwork!
    const wyoming = ['--wyoming-port', '10200', '--wyoming-host', '0.0.0.0', '--wyoming-announce']
    const options = ['--port', '0', '--warm-up', 'false', ...wyoming]
    // In the network of the service, which ends with the shell.
    const both = '"$1" "$2" $3 >&2 & "$4" "$5" browse _wyoming._tcp.local.; kill $!; wait'
    const shell = ['sh', '-c', both, 'sh', process.execPath, service, options.join(' ')]
    const [command, ...rest] = [...enter, ...shell, python, program]
    const { stdout } = await promisify(execFile)(command!, rest)
    expect(stdout).toMatch(/^Parlando on /)
    expect(stdout.trim().endsWith(`._wyoming._tcp.local. ${host} 10200`)).toBe(true)
  })
})
