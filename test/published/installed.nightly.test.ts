import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { packPackages } from '@parlando/test-support/published/packed-packages'
import { freePort } from '@parlando/test-support/servers/addresses'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'

const run = promisify(execFile)
const shell = process.platform === 'win32'
const nodeRed = process.env['PARLANDO_NODE_RED']!
const { version } = createRequire(import.meta.url)(`${nodeRed}/package.json`)

const text = 'The laundry is done, and the dishes are clean.'
const place = { z: 'tab', x: 200, y: 200 }
const flow = [
  { id: 'tab', type: 'tab' },
  {
    id: 'inject',
    type: 'inject',
    ...place,
    props: [{ p: 'payload' }],
    payload: text,
    payloadType: 'str',
    once: true,
    onceDelay: 0.1,
    wires: [['speak']],
  },
  {
    id: 'speak',
    type: 'parlando-speak',
    ...place,
    service: '',
    encoding: 'WAV',
    output: 'whole',
    wires: [['file']],
  },
  { id: 'file', type: 'file', ...place, filename: 'said.wav', overwriteFile: 'true', wires: [] },
]

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parlando-installed-'))
  mkdirSync(join(folder, 'home'))
  const archives = Object.values(await packPackages()).map(({ archive }) => archive)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  // As in Node-RED's user folder, without the scripts of packages.
  const packages = ['--no-audit', '--ignore-scripts', `node-red@${version}`, ...archives]
  await run('npm', ['install', ...packages], { cwd: folder, shell, maxBuffer: 16 * 1024 * 1024 })
}, 900_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** No program but Node: no player, no recogniser, and nothing that this repository has installed. */
const environment = () => ({ PATH: dirname(process.execPath), HOME: join(folder, 'home') })

it(`the packed packages speak in Node-RED ${version} on a machine that has only Node`, async () => {
  const port = await freePort()
  const settings = { uiHost: '127.0.0.1', uiPort: port, fileWorkingDirectory: folder }
  writeFileSync(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)}`)
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow))
  const program = join(folder, 'node_modules/node-red/red.js')
  const options = ['-u', folder, '-s', join(folder, 'settings.js'), join(folder, 'flows.json')]
  const child = spawn(process.execPath, [program, ...options], {
    cwd: folder,
    env: environment(),
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await exited
  })
  let log = ''
  child.stdout.on('data', (data) => (log += data))
  child.stderr.on('data', (data) => (log += data))
  const said = async () => void (await expectSpoken(await readFile(join(folder, 'said.wav')), text))
  await vi.waitFor(said, { timeout: 300_000, interval: 500 }).catch((error) => {
    throw new Error(log, { cause: error })
  })
  expect(log).not.toMatch(/\[(error|warn)\] \[(?:parlando|speak)|not loaded|Missing types/i)
}, 360_000)

it('the packed command reports its version', async () => {
  const command = join(folder, 'node_modules/@parlando/local-service/bin/parlando-local.js')
  const { stdout } = await run(process.execPath, [command, '--version'], { env: environment() })
  expect(stdout).toBe(`${readVersion('local-service')}\n`)
})

it('the packed packages are installed once each, without a copy for another one', async () => {
  const { stdout } = await run('npm', ['ls', '--all', '--json', '@parlando/core'], {
    cwd: folder,
    shell,
  })
  expect(stdout).not.toContain('"invalid"')
  expect(new Set(stdout.match(/"version": "[^"]+"(?=,\s+"resolved": "file:)/g)).size).toBe(1)
})

function readVersion(name: string): string {
  const file = join(folder, `node_modules/@parlando/${name}/package.json`)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
