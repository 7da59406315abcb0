import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { subscribeToEditorEvents } from '@parlando/test-support/node-red/editor-events'
import { exampleFiles, nodeNamed, readExample } from '@parlando/test-support/node-red/example'
import { freePort } from '@parlando/test-support/servers/addresses'
import { openEditorTab } from '@parlando/test-support/speakers/simulated-browser'
import { afterEach, expect, it, onTestFinished } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = '.parlando-test'
/** Saves the processor time of the warm-up where a test does not listen. */
const coldStart = { PARLANDO_LOCAL_WARM_UP: 'false' }

afterEach(() => rmSync(join(repository, folder), { recursive: true, force: true }))

/** Runs `npm start` as in a terminal and collects its output. */
function start(port: number, env: NodeJS.ProcessEnv = coldStart) {
  const child = spawn(
    process.execPath,
    ['scripts/start.js', '--port', String(port), '--folder', folder],
    { cwd: repository, detached: true, env: { ...process.env, ...env } },
  )
  const output = { text: '' }
  child.stdout.on('data', (data) => (output.text += data))
  child.stderr.on('data', (data) => (output.text += data))
  onTestFinished(() => void endGroup(child, 'SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', () => output.text.includes('Ready:') && resolve()),
  )
  return { child, output, exited, ready }
}

/** Ctrl+C in a terminal reaches every process of the group. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal)
  } catch {
    // The process has already exited.
  }
}

it.each([
  [['--port', 'abc'], '--port must be a whole number from 0 to 65535, not "abc"'],
  [['--prot', '1880'], "Unknown option '--prot'"],
])('names an option that is not valid in one line: %j', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.js', ...args], {
    cwd: repository,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/^.* npm start -- --help .*\n$/)
  expect(stderr).toContain(message)
})

it('says how to hear the first flow, which speaks in the open editor, and stops on Ctrl+C', async () => {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const { child, output, exited, ready } = start(port, {})
  await ready
  // Programs that this machine lacks are named where they are needed, not here.
  const lines = output.text.split('\n').filter((line) => !/^(?:Installing|Building) /.test(line))
  expect(lines).toEqual([
    `To hear it speak: open ${baseUrl}/ and click the button to the left of "say it"`,
    `Ready: ${baseUrl}/`,
    '',
  ])
  const page = await fetch(`${baseUrl}/`)
  expect(await page.text()).toContain('Node-RED')

  const events = await subscribeToEditorEvents(baseUrl)
  const editor = openEditorTab({ baseUrl, ...events })
  const recording = await editor.record()
  const flow = readExample(exampleFiles[0]!)
  await fetch(`${baseUrl}/inject/${nodeNamed(flow, 'say it').id}`, { method: 'POST' })
  const { id } = nodeNamed(flow, 'said')
  await expect.poll(() => events.debugTexts(id), { timeout: 30_000 }).toHaveLength(1)
  await expectHeard(await recording.stop(), nodeNamed(flow, 'say it')['payload'])
  editor.close()
  events.close()

  endGroup(child, 'SIGINT')
  expect(await exited).toBe(0)
  await expect(fetch(`${baseUrl}/`)).rejects.toThrow()
})

it('also starts with flows of the user, and then says nothing about the first flow', async () => {
  mkdirSync(join(repository, folder))
  writeFileSync(join(repository, folder, 'flows.json'), '[]')
  const { output, ready, exited } = start(await freePort())
  await Promise.race([ready, exited])
  expect(output.text).toContain('Ready: ')
  expect(output.text).not.toContain('To hear it')
})

it('stops on a SIGTERM that reaches only its own process', async () => {
  const { child, exited, ready } = start(await freePort())
  await ready
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

it('says that the port is taken and how to choose another one', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { output, exited } = start(port)
  expect(await exited).toBe(1)
  expect(output.text).toMatch(`Port ${port} is taken`)
  expect(output.text).toMatch('npm start -- --port 1881')
})
