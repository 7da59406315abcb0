import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { WebSocket } from 'undici'
import { saveRecord } from '../secrets/records.ts'
import { freePort } from '../servers/addresses.ts'
import { nodeRedPackage } from './runtime.ts'

const require = createRequire(import.meta.url)

export interface NodeRedProcess {
  baseUrl: string
  /** The folder to which file nodes write. */
  folder: string
  /** Presses the button of an inject node. */
  inject(id: string): Promise<void>
  /** Replaces the running flows. */
  deploy(flow: object[]): Promise<void>
  /** The texts that a debug node has shown in the sidebar. */
  debugTexts(id: string): string[]
  /** The status texts of a node. */
  statuses(id: string): string[]
  /** Receives what Node-RED sends to every open editor. @returns a function that ends it. */
  subscribe(onMessage: (topic: string, message: unknown) => void): () => void
  /** All output of Node-RED. */
  log(): string
  isRunning(): boolean
  /** How much memory the process has resident. Linux only. */
  residentBytes(): number
  /** Kills the process, as a power failure would, and starts it again in the same folder. */
  killAndRestart(): Promise<void>
  /** Stops the flows, and removes their files and output, so that other tests can use this process. */
  unload(): Promise<void>
  close(): Promise<void>
}

export interface NodeRedProcessOptions {
  /** Default: a free one. */
  port?: number
  /** Default: English, independent of this machine. */
  language?: string
  environment?: NodeJS.ProcessEnv
  settings?: object
}

/** Starts a complete Node-RED process, as a user would, with these flows and a new folder. */
export async function startNodeRed(
  flow: object[],
  options: NodeRedProcessOptions = {},
): Promise<NodeRedProcess> {
  const { language = 'en-US', environment } = options
  const startedFlows = startedFlowsIn(language)
  const port = options.port ?? (await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  const folder = await createUserFolder(flow, { ...options, port, language })
  let log = ''
  const start = () => {
    log = ''
    const child = startProgram(folder, environment)
    const append = (data: Buffer) => {
      log += data
    }
    child.stdout.on('data', append)
    child.stderr.on('data', append)
    // A flow that starts by itself can run before the test listens.
    const isReady = () => log.includes(startedFlows) && log.includes(`${baseUrl}/`)
    return untilReady(child, { baseUrl, isReady, log: () => log })
  }
  let running = await start()
  const ownFiles = new Set(await readdir(folder))

  const deploy = async (next: object[]) => {
    const before = count(log, startedFlows)
    await post(`${baseUrl}/flows`, next)
    while (count(log, startedFlows) === before) await setTimeout(5)
  }
  return {
    baseUrl,
    folder,
    inject: (id) => post(`${baseUrl}/inject/${id}`, {}),
    deploy,
    debugTexts: (id) => running.editor.debugTexts(id),
    statuses: (id) => running.editor.statuses(id),
    subscribe: (onMessage) => running.editor.subscribe(onMessage),
    log: () => log,
    residentBytes() {
      const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
    },
    isRunning: () => running.child.exitCode === null && running.child.signalCode === null,
    async killAndRestart() {
      running.editor.close()
      running.child.kill('SIGKILL')
      await running.exited
      running = await start()
    },
    async unload() {
      await recordAdminResponses(baseUrl)
      await recordFlowFiles(folder)
      await deploy([])
      const entries = await readdir(folder, { withFileTypes: true })
      const written = entries.filter((entry) => entry.isFile() && !ownFiles.has(entry.name))
      for (const { name } of written) await rm(join(folder, name))
      running.editor.forget()
      log = ''
    },
    async close() {
      running.editor.close()
      await recordAdminResponses(baseUrl).finally(() => end(running))
      await recordFlowFiles(folder)
      // The service of this device, which ends by itself then, may still write what it has compiled.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** @returns a new folder with these flows. */
async function createUserFolder(
  flow: object[],
  { port, language, settings }: NodeRedProcessOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-node-red-'))
  const all = {
    uiHost: '127.0.0.1',
    uiPort: port,
    lang: language,
    flowFile: 'flows.json',
    fileWorkingDirectory: folder,
    credentialSecret: 'test',
    telemetry: { enabled: false, updateNotification: false },
    // No form of ours has a code editor, and Node-RED's default one takes a fourth of the processor time of an opened editor.
    editorTheme: { tours: false, codeEditor: { lib: 'ace' } },
    ...settings,
  }
  await writeFile(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(all)}`)
  await writeFile(join(folder, 'flows.json'), JSON.stringify(flow))
  return folder
}

function startProgram(folder: string, env: NodeJS.ProcessEnv | undefined) {
  const program = require.resolve(`${nodeRedPackage}/red.js`)
  return spawn(process.execPath, [program, '-u', folder, '-s', join(folder, 'settings.js')], {
    env,
  })
}

interface Starting {
  baseUrl: string
  isReady(): boolean
  log(): string
}

async function untilReady(
  child: ReturnType<typeof startProgram>,
  { baseUrl, isReady, log }: Starting,
) {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    const check = () => {
      if (isReady()) resolve()
    }
    child.stdout.on('data', check)
    child.stderr.on('data', check)
    child.once('exit', () => reject(new Error(`Node-RED exited:\n${log()}`)))
  })
  return { child, exited, editor: await subscribeToEditorEvents(baseUrl) }
}

async function post(url: string, body: object): Promise<void> {
  // A kept connection may still lead to a process that a test has killed.
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`)
}

/** Ends it as a user does. */
async function end({ child, exited }: { child: ChildProcess; exited: Promise<void> }) {
  child.kill('SIGINT')
  const limit = globalThis.setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exited
  clearTimeout(limit)
}

/** Receives debug messages, statuses and commands from Node-RED over a WebSocket, as the editor does. */
export async function subscribeToEditorEvents(baseUrl: string) {
  const url = `${baseUrl.replace('http', 'ws')}/comms`
  const texts = new Map<string, string[]>()
  const add = (key: string, text: string) => void texts.set(key, [...(texts.get(key) ?? []), text])
  const subscribers = new Set<(topic: string, message: unknown) => void>()
  const socket = new WebSocket(url)
  socket.addEventListener('message', ({ data }) => {
    for (const { topic, data: event } of [JSON.parse(data)].flat()) {
      for (const notify of subscribers) notify(topic, event)
      if (topic === 'debug') add(`debug/${event.id}`, String(event.msg))
      else if (topic?.startsWith('status/')) add(topic, event.text ?? '')
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () =>
      reject(new Error(`no connection to the editor events of Node-RED at ${url}`)),
    )
  })
  for (const subscribe of ['debug', 'status/#', 'parlando/#'])
    socket.send(JSON.stringify({ subscribe }))
  return {
    debugTexts: (id: string) => texts.get(`debug/${id}`) ?? [],
    statuses: (id: string) => texts.get(`status/${id}`) ?? [],
    subscribe(onMessage: (topic: string, message: unknown) => void) {
      subscribers.add(onMessage)
      return () => void subscribers.delete(onMessage)
    },
    forget: () => texts.clear(),
    close: () => socket.close(),
  }
}

/** Records what the admin API sends to an editor, if Node-RED is still running. */
async function recordAdminResponses(baseUrl: string): Promise<void> {
  const get = async (path: string) => (await fetch(baseUrl + path)).text()
  const flows = await get('/flows').catch(() => undefined)
  if (flows === undefined) return
  const services = JSON.parse(flows).filter(({ type }: Typed) => type === 'parlando-service')
  const credentials = services.map(({ id }: Typed) => `/credentials/parlando-service/${id}`)
  saveRecord('admin responses', flows)
  for (const path of ['/settings', '/nodes', ...credentials])
    saveRecord('admin responses', await get(path))
}

interface Typed {
  id: string
  type: string
}

/** Records the flows, their backups, the credentials and the settings. */
async function recordFlowFiles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  for (const file of files.filter((file) => /\.(json|js|backup)$/.test(file))) {
    saveRecord('flow files', await readFile(join(folder, file)))
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
