import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'undici'
import { freePort } from './free-port.ts'
import { nodeRedPackage } from './node-red.ts'
import { keep } from './run-records.ts'

const require = createRequire(import.meta.url)

export interface NodeRedProcess {
  baseUrl: string
  /** Where the file nodes write. */
  folder: string
  /** Presses the button of an inject node. */
  inject(id: string): Promise<void>
  /** Replaces the running flows. */
  deploy(flow: object[]): Promise<void>
  /** The texts of a debug node in the sidebar. */
  debugged(id: string): string[]
  /** The status texts of a node. */
  statuses(id: string): string[]
  /** All output of Node-RED. */
  log(): string
  isRunning(): boolean
  close(): Promise<void>
}

/**
 * Starts a complete Node-RED, as a user would, with these flows and its own folder. Default port: a free one; default
 * language of the nodes: English, independent of this machine.
 */
export async function startNodeRed(
  flow: object[],
  options: { port?: number; language?: string } = {},
): Promise<NodeRedProcess> {
  const language = options.language ?? 'en-US'
  const startedFlows = startedFlowsIn(language)
  const folder = await mkdtemp(join(tmpdir(), 'parlando-node-red-'))
  const port = options.port ?? (await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: port,
    lang: language,
    flowFile: 'flows.json',
    fileWorkingDirectory: folder,
    credentialSecret: 'test',
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false },
  }
  await writeFile(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)}`)
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flow))
  const program = require.resolve(`${nodeRedPackage}/red.js`)
  const child = spawn(process.execPath, [program, '-u', folder, '-s', join(folder, 'settings.js')])
  let log = ''
  const started = new Promise<void>((resolve, reject) => {
    const keep = (data: Buffer) => {
      log += data
      // Flows that start by themselves can run before the test listens.
      if (log.includes(startedFlows) && log.includes(`${baseUrl}/`)) resolve()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('exit', () => reject(new Error(`Node-RED ended:\n${log}`)))
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await started

  const editor = await openEditor(`ws://127.0.0.1:${port}/comms`)
  const post = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body ?? {}),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
  }
  return {
    baseUrl,
    folder,
    inject: (id) => post(`/inject/${id}`),
    async deploy(next) {
      const before = count(log, startedFlows)
      await post('/flows', next)
      while (count(log, startedFlows) === before) await setTimeout(5)
    },
    ...editor.heard,
    log: () => log,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async close() {
      editor.close()
      await recordAdminResponses(baseUrl)
      child.kill('SIGINT')
      const kill = globalThis.setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(kill)
      await keepFlowFiles(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Listens to Node-RED as the editor in a browser does. */
async function openEditor(url: string) {
  const shown = new Map<string, string[]>()
  const keep = (key: string, text: string) => void shown.set(key, [...(shown.get(key) ?? []), text])
  const socket = new WebSocket(url)
  socket.addEventListener('message', ({ data }) => {
    for (const { topic, data: news } of [JSON.parse(data)].flat()) {
      if (topic === 'debug') keep(`debug/${news.id}`, String(news.msg))
      else if (topic.startsWith('status/')) keep(topic, news.text ?? '')
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`nobody listens at ${url}`)))
  })
  for (const subscribe of ['debug', 'status/#']) socket.send(JSON.stringify({ subscribe }))
  return {
    heard: {
      debugged: (id: string) => shown.get(`debug/${id}`) ?? [],
      statuses: (id: string) => shown.get(`status/${id}`) ?? [],
    },
    close: () => socket.close(),
  }
}

/** A notification that Node-RED sends to all open editors, if it is still running. */
async function recordAdminResponses(baseUrl: string): Promise<void> {
  const ask = async (path: string) => (await fetch(baseUrl + path)).text()
  const flows = await ask('/flows').catch(() => undefined)
  if (flows === undefined) return
  const services = JSON.parse(flows).filter(({ type }: Typed) => type === 'parlando-service')
  const credentials = services.map(({ id }: Typed) => `/credentials/parlando-service/${id}`)
  keep('admin responses', flows)
  for (const path of ['/settings', '/nodes', ...credentials])
    keep('admin responses', await ask(path))
}

interface Typed {
  id: string
  type: string
}

/** Flows, their copies, credentials and settings. */
async function keepFlowFiles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((file) => /\.(json|js|backup)$/.test(file))) {
    keep('flow files', await readFile(join(folder, file)))
  }
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

/** The line that Node-RED prints in this language when its flows have started. */
function startedFlowsIn(language: string): string {
  const ofNodeRed = createRequire(require.resolve(nodeRedPackage))
  const runtime = ofNodeRed(`@node-red/runtime/locales/${language}/runtime.json`)
  return runtime.nodes.flows['started-flows']
}
