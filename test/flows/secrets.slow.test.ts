import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { useSharedNodeRed } from '@parlando/test-support/node-red/shared-process'
import { findKeys } from '@parlando/test-support/secrets/find-keys'
import { keys } from '@parlando/test-support/secrets/keys'
import { freePort } from '@parlando/test-support/servers/addresses'
import { expect, it, onTestFinished, vi } from 'vitest'

const spoken = 'The parcel lies behind the yellow door'

/** Starts the service as a process with the most verbose log. @returns its address, and a function that returns its output so far. */
async function startService() {
  const port = await freePort()
  const program = createRequire(import.meta.url).resolve('@parlando/local-service/cli')
  const env = { ...process.env, PARLANDO_LOCAL_API_KEY: keys.service }
  const child = spawn(process.execPath, [program, '--port', `${port}`, '--log-level', 'debug'], {
    env,
  })
  let output = ''
  const collect = (data: Buffer) => {
    output += data
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill()
    await exited
  })
  await vi.waitFor(() => expect(output).toContain('started'), { timeout: 60_000 })
  return { baseUrl: `http://127.0.0.1:${port}`, output: () => output }
}

/** Two speak nodes with different services, and debug nodes that print every message and error in full. */
function flowOf(baseUrl: string): object[] {
  const speaker = (name: string, apiKey: string) => [
    {
      id: `${name}-service`,
      type: 'parlando-service',
      location: 'hosted',
      baseUrl,
      credentials: { apiKey },
    },
    {
      id: `${name}-inject`,
      type: 'inject',
      z: 'tab',
      props: [{ p: 'payload' }],
      payload: spoken,
      payloadType: 'str',
      wires: [[`${name}-speak`]],
    },
    {
      id: `${name}-speak`,
      type: 'parlando-speak',
      z: 'tab',
      service: `${name}-service`,
      text: 'payload',
      textType: 'msg',
      voice: 'Clara',
      model: 'svc-tts-2',
      encoding: 'WAV',
      sampleRate: '24000',
      output: 'whole',
      busy: 'wait',
      wires: [['shown']],
    },
  ]
  return [
    { id: 'tab', type: 'tab', label: 'Keys' },
    ...speaker('right', keys.service),
    ...speaker('wrong', keys.wrong),
    { id: 'caught', type: 'catch', z: 'tab', scope: null, uncaught: false, wires: [['shown']] },
    {
      id: 'shown',
      type: 'debug',
      z: 'tab',
      active: true,
      tosidebar: true,
      console: true,
      complete: 'true',
      targetType: 'full',
      wires: [],
    },
  ]
}

const nodeRed = useSharedNodeRed(() => [])

it('no key appears in a log, a flow, a file or a response, and no text in the log of the service', async () => {
  const service = await startService()
  await nodeRed.deploy(flowOf(service.baseUrl))
  await nodeRed.inject('right-inject')
  await vi.waitFor(() => expect(nodeRed.log()).toContain('durationSeconds'), { timeout: 60_000 })
  await nodeRed.inject('wrong-inject')
  await vi.waitFor(() => expect(nodeRed.log()).toContain('UNAUTHENTICATED'), { timeout: 60_000 })

  const fetchText = async (address: string) => (await fetch(address)).text()
  const files = (await readdir(nodeRed.folder, { recursive: true, withFileTypes: true })).filter(
    (file) => file.isFile(),
  )
  expect(files.map(({ name }) => name)).toContain('flows_cred.json')
  const metrics = await fetch(`${service.baseUrl}/metrics`, {
    headers: { authorization: `Basic ${keys.service}` },
  })
  const traces = {
    'log of Node-RED': nodeRed.log(),
    'flows in the editor': await fetchText(`${nodeRed.baseUrl}/flows`),
    'credentials in the editor': await fetchText(
      `${nodeRed.baseUrl}/credentials/parlando-service/right-service`,
    ),
    'log of the service': service.output(),
    'metrics of the service': await metrics.text(),
  } as Record<string, string>
  for (const { parentPath, name } of files) {
    traces[name] = await readFile(join(parentPath, name), 'utf8')
  }
  expect(traces['credentials in the editor']).toContain('has_apiKey')
  expect(traces['log of the service']).toContain('request finished')
  for (const [place, text] of Object.entries(traces)) {
    expect(findKeys(Buffer.from(text)), place).toEqual([])
  }
  expect(traces['log of the service']).not.toContain(spoken)
}, 60_000)
