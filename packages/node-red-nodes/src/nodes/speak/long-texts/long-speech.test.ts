import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createDeviceService } from '../../service/device-service.ts'
import { ServiceConnection } from '../../service/service-connection.ts'
import { type LongSpeechOptions, speakLong } from './long-speech.ts'
import { LongTextPause } from './long-text-pause.ts'

interface Crash {
  /** What the process does last. */
  at: 'submission' | 'progress' | 'download'
}

const { signal } = new AbortController()

/** Processes of a service, each at its own address, that have the same jobs. Each of these crashes ends one process. */
async function startProcesses(...crashes: Crash[]) {
  const submitted = new Map<unknown, string>()
  const jobs: string[] = []
  const { processes, start } = createFakeDeviceProcesses((number) => ({
    baseUrl: servers[number - 1]!.baseUrl,
    apiKey: '',
  }))
  const newServer = (crash: Crash | undefined, number: number) =>
    startTestServer(async (response, { url = '', headers }, bytes) => {
      const [, id = ''] = /\/(\d+)$/.exec(url) ?? []
      const name = (id: string) => `ttsAsyncJobs/${id}/operations/${id}`
      const at = url.endsWith(':synthesizeAsync')
        ? 'submission'
        : url.startsWith('/files/')
          ? 'download'
          : 'progress'
      if (at === 'submission') {
        const key = headers['idempotency-key']
        const { text } = JSON.parse(Buffer.from(bytes).toString())
        if (!submitted.has(key)) submitted.set(key, `${jobs.push(text) - 1}`)
      }
      if (crash?.at === at) {
        if (at === 'download') response.writeHead(200).write(Buffer.alloc(50))
        response.socket?.destroy()
        return processes[number]!.exit()
      }
      if (at === 'download') return void response.end(Buffer.alloc(100, id))
      const operation = { name: name(id || submitted.get(headers['idempotency-key'])!) }
      const uri = { audioUri: `http://${headers.host}/files/${id}` }
      response.end(JSON.stringify({ ...operation, done: id !== '', ...(id && { response: uri }) }))
    })
  const servers = await Promise.all([...crashes, undefined].map(newServer))
  const connection = new ServiceConnection({
    acquire: createDeviceService({ start, lingerMs: 0 }).acquire,
  })
  onTestFinished(() => connection.close())
  return { connection, jobs, processes }
}

/** Speaks two parts, and keeps the names of their jobs. @returns the audio. */
async function speak(
  connection: ServiceConnection,
  pause = new LongTextPause(false, () => {}),
): Promise<Buffer> {
  const jobNames: string[] = []
  const use: LongSpeechOptions['use'] = (ended, work) => connection.use(work, ended)
  const speech = speakLong(await connection.client(), {
    request: { voiceId: 'Kit', modelId: 'm', audioConfig: { audioEncoding: 'PCM' } },
    parts: [{ text: 'One.' }, { text: 'Two.' }],
    jobNames,
    pause,
    chapters: [],
    call: { signal },
    use,
    async submit(index, call, submit) {
      const job = await submit({ ...call, headers: { 'idempotency-key': `${index}` } })
      jobNames[index] = job.name
      return job
    },
    onStreamed() {},
    onSpoken() {},
    onProgress() {},
  })
  const chunks: Uint8Array[] = []
  for await (const { audio } of speech) chunks.push(audio)
  return Buffer.concat(chunks)
}

it.each(['submission', 'progress', 'download'] as const)(
  'goes on with its jobs in the next process of a service that crashes at a %s',
  async (at) => {
    const { connection, jobs, processes } = await startProcesses({ at }, { at })
    expect(await speak(connection)).toEqual(
      Buffer.concat([Buffer.alloc(100, '0'), Buffer.alloc(100, '1')]),
    )
    expect(jobs).toEqual(['One.', 'Two.'])
    expect(processes).toHaveLength(3)
  },
)

it('fails if the service crashes with it again and again', async () => {
  const crash = { at: 'progress' } as const
  const { connection, processes } = await startProcesses(...Array.from({ length: 9 }, () => crash))
  await expect(speak(connection)).rejects.toMatchObject({ code: 'CONNECTION_LOST' })
  expect(processes).toHaveLength(6)
})

it('waits with the next part while it is paused, also if the service streams it', async () => {
  let streams = 0
  const server = await startTestServer((response, { url }) => {
    if (url !== '/tts/v1/voice:stream')
      return void response.writeHead(404).end('{"code":5,"message":"Unknown path"}')
    streams += 1
    response.end(audioLine(Buffer.alloc(480)))
  })
  const lease = {
    address: Promise.resolve({ baseUrl: server.baseUrl, apiKey: '' }),
    release: async () => {},
  }
  const connection = new ServiceConnection({ acquire: () => lease })
  onTestFinished(() => connection.close())
  const pause = new LongTextPause(true, () => {})
  const spoken = speak(connection, pause)
  await vi.waitFor(() => expect(streams).toBe(1), 20_000)
  // A next part would be requested before most of these.
  for (let request = 0; request < 20; request += 1) await fetch(`${server.baseUrl}/other`)
  expect(streams).toBe(1)
  pause.resume()
  expect(await spoken).toEqual(Buffer.alloc(960))
  expect(streams).toBe(2)
})
