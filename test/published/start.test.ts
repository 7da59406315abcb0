import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readWav } from '@parlando/test-support/audio/read-wav'
import { freePort } from '@parlando/test-support/free-port'
import { exampleFiles, readExample } from '@parlando/test-support/node-red/example'
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

it('speaks once, prints the result, serves the editor, and stops on Ctrl+C', async () => {
  const port = await freePort()
  const { child, output, exited, ready } = start(port, {})
  await ready
  expect(output.text).toMatch(
    new RegExp(
      `Spoke \\d+\\.\\d s in \\d+ chunks, first audio after \\d+ ms: ${folder}/first-words\\.wav\\n` +
        `Ready: http://127\\.0\\.0\\.1:${port}/\\n$`,
    ),
  )
  const sound = readWav(readFileSync(join(repository, folder, 'first-words.wav')))
  const [, seconds] = /Spoke (\S+) s/.exec(output.text)!
  expect(sound.seconds).toBeCloseTo(Number(seconds), 1)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('Node-RED')
  endGroup(child, 'SIGINT')
  expect(await exited).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

it('also starts if the user has changed the first flow so that it does not speak', async () => {
  const flow = readExample(exampleFiles[0]!)
  const fileNode = flow.find(({ type }) => type === 'file')!
  for (const node of flow) if (node.type === 'inject') node.wires = [[fileNode.id]]
  mkdirSync(join(repository, folder))
  writeFileSync(join(repository, folder, 'flows.json'), JSON.stringify(flow))
  const { output, ready, exited } = start(await freePort())
  await Promise.race([ready, exited])
  expect(output.text).toMatch(/The first example was changed: .*\nReady: /)
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
