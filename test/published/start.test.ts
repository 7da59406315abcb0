import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exampleFiles, readExample } from '@parlando/test-support/example'
import { freePort } from '@parlando/test-support/free-port'
import { readSound } from '@parlando/test-support/wav-audio'
import { afterEach, expect, it, onTestFinished } from 'vitest'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = '.parlando-test'

afterEach(() => rmSync(join(repository, folder), { recursive: true, force: true }))

/** Runs `npm start` as the terminal does and collects what it says. */
function start(port: number) {
  const child = spawn(
    process.execPath,
    ['scripts/start.js', '--port', String(port), '--folder', folder],
    { cwd: repository, detached: true },
  )
  const said = { text: '' }
  child.stdout.on('data', (data) => (said.text += data))
  child.stderr.on('data', (data) => (said.text += data))
  onTestFinished(() => void endGroup(child, 'SIGKILL'))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve) =>
    child.stdout.on('data', () => said.text.includes('Ready:') && resolve()),
  )
  return { child, said, exited, ready }
}

/** Ctrl+C in a terminal goes to every process that was started from it. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal)
  } catch {
    // It is gone already.
  }
}

it('speaks once by itself, says so, is open, and ends with Ctrl+C', async () => {
  const port = await freePort()
  const { child, said, exited, ready } = start(port)
  await ready
  expect(said.text).toMatch(
    new RegExp(
      `Spoke \\d+\\.\\d s in \\d+ chunks, first audio after \\d+ ms: ${folder}/first-words\\.wav\\n` +
        `Ready: http://127\\.0\\.0\\.1:${port}/\\n$`,
    ),
  )
  const sound = readSound(readFileSync(join(repository, folder, 'first-words.wav')))
  const [, seconds] = /Spoke (\S+) s/.exec(said.text)!
  expect(sound.seconds).toBeCloseTo(Number(seconds), 1)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(await page.text()).toContain('Node-RED')
  endGroup(child, 'SIGINT')
  expect(await exited).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

it('opens also when somebody has changed the first flow so that it does not speak', async () => {
  const flow = readExample(exampleFiles[0]!)
  const fileNode = flow.find(({ type }) => type === 'file')!
  for (const node of flow) if (node.type === 'inject') node.wires = [[fileNode.id]]
  mkdirSync(join(repository, folder))
  writeFileSync(join(repository, folder, 'flows.json'), JSON.stringify(flow))
  const { said, ready, exited } = start(await freePort())
  await Promise.race([ready, exited])
  expect(said.text).toMatch(/The first example was changed: .*\nReady: /)
})

it('ends with the signal that a service manager sends to it alone', async () => {
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
  const { said, exited } = start(port)
  expect(await exited).toBe(1)
  expect(said.text).toMatch(`Port ${port} is taken`)
  expect(said.text).toMatch('npm start -- --port 1881')
})
