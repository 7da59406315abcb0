import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { voicedSound } from '@parlando/test-support/audio/computed-sounds'
import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { keys } from '@parlando/test-support/secrets/keys'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

interface Command {
  pid: number
  baseUrl: string
  said: string
  /** The lines of its log so far. */
  log(): Record<string, unknown>[]
  kill(signal: NodeJS.Signals): void
  ended: Promise<number | null>
}

/** In a data folder of its own: with another service in the same one, it warns. */
async function start(args: string[], env: Record<string, string> = {}): Promise<Command> {
  const PARLANDO_LOCAL_DATA_FOLDER = await mkdtemp(join(tmpdir(), 'parlando-'))
  const child = spawn(process.execPath, [cli, '--port', '0', ...args], {
    env: { ...process.env, PARLANDO_LOCAL_DATA_FOLDER, ...env },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    await rm(PARLANDO_LOCAL_DATA_FOLDER, { recursive: true })
  })
  let log = ''
  child.stderr.on('data', (data) => {
    log += data
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(String(data))),
  )
  return {
    pid: child.pid!,
    baseUrl: /^Speaking at (\S+)$/m.exec(said)?.[1] ?? '',
    said,
    log: () =>
      log
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

// Others than the first one are rejected in the tests of the options, too.
const rejected = [
  [['--port', 'abc'], '--port must be a whole number'],
  [['--unknown'], "Unknown option '--unknown'"],
  [['--host', '0.0.0.0'], 'Other machines can reach 0.0.0.0: set a key'],
] as const

describe('parlando-local', () => {
  it('prints its options for --help', async () => {
    const { stdout } = await run(process.execPath, [cli, '--help'])
    expect(stdout).toContain('--api-key')
  })

  it('prints its version', async () => {
    const { stdout } = await run(process.execPath, [cli, '--version'])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each(casesToRun(rejected, 1))('rejects %j with one line', async (args, message) => {
    await expect(run(process.execPath, [cli, ...args])).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^${message}[^\\n]*\\n$`)),
    })
  })

  const canRestart = process.platform === 'linux' && 'execve' in process
  it.runIf(canRestart)(
    'runs with the memory settings of the nodes, in the process that was started',
    async () => {
      const { pid, kill, ended } = await start([])
      expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toContain('--max-semi-space-size=1')
      expect(await readFile(`/proc/${pid}/environ`, 'utf8')).toContain('MALLOC_ARENA_MAX=2')
      kill('SIGTERM')
      expect(await ended).toBe(0)
    },
  )

  it('prints a command to try, which works unchanged', async () => {
    const { said } = await start([], { PARLANDO_LOCAL_API_KEY: keys.service })
    const [line = ''] = /curl .*/.exec(said) ?? []
    expect(said).not.toContain(keys.service)
    const cwd = await mkdtemp(join(tmpdir(), 'parlando-'))
    onTestFinished(() => rm(cwd, { recursive: true }))
    await run('sh', ['-c', line], {
      cwd,
      env: { ...process.env, PARLANDO_LOCAL_API_KEY: keys.service },
    })
    const mp3 = await readFile(join(cwd, 'hello.mp3'))
    // The first frame's eleven bits of synchronisation.
    expect(mp3.readUInt16BE(0) >> 5).toBe(0x7ff)
    expect(mp3.length).toBeGreaterThan(5000)
  })

  it.each(casesToRun(['SIGTERM', 'SIGINT'] as const, 1))(
    'logs start and stop, and exits on %s',
    async (signal) => {
      const command = await start([])
      command.kill(signal)
      expect(await command.ended).toBe(0)
      expect(command.log()).toMatchObject([
        { level: 'info', msg: 'started', baseUrl: command.baseUrl },
        { level: 'info', msg: 'stopping' },
        { level: 'info', msg: 'stopped' },
      ])
    },
  )

  it('exits at once after the second signal', async () => {
    const command = await start(['--stop-limit-ms', '600000'])
    const text = `${speechRequest.text} `.repeat(4000)
    const body = JSON.stringify({ ...speechRequest, text })
    const response = await fetch(`${command.baseUrl}/tts/v1/voice:stream`, { method: 'POST', body })
    command.kill('SIGTERM')
    while ((await fetch(`${command.baseUrl}/healthz`)).status === 200);
    command.kill('SIGTERM')
    expect(await command.ended).toBe(1)
    await response.body?.cancel().catch(() => {})
  })

  it('leaves no temporary file when it exits with its parent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlando-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    const child = fork(cli, ['--port', '0'], {
      env: { ...process.env, PARLANDO_LOCAL_DATA_FOLDER: folder, TMPDIR: temporary },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = once(child, 'exit')
    await new Promise<void>((resolve) =>
      child.on('message', (message: { baseUrl?: string }) => {
        if (message.baseUrl) resolve()
      }),
    )
    const names = async () => (await readdir(temporary)).filter((name) => name.endsWith('.sock'))
    expect(await names()).toHaveLength(1)
    child.disconnect()
    await exited
    expect(await names()).toEqual([])
  })

  it('logs requests at level debug, but neither texts nor keys', async () => {
    const apiKey = keys.service
    const command = await start(['--log-level', 'debug'], { PARLANDO_LOCAL_API_KEY: apiKey })
    const headers = { authorization: `Basic ${apiKey}`, 'x-request-id': 'mine-1' }
    const body = JSON.stringify({ ...speechRequest, colour: 'red', 'the laundry': 1 })
    const response = await fetch(`${command.baseUrl}/tts/v1/voice?key=${apiKey}`, {
      method: 'POST',
      headers,
      body,
    })
    await response.text()
    command.kill('SIGINT')
    await command.ended
    const [finished] = command.log().filter(({ msg }) => msg === 'request finished')
    expect(finished).toMatchObject({
      level: 'debug',
      requestId: 'mine-1',
      method: 'POST',
      route: '/tts/v1/voice',
      status: 200,
      durationMs: expect.any(Number),
      speech: { modelId: 'svc-tts-2', characters: speechRequest.text.length },
      ignored: ['colour', '?'],
    })
    const written = JSON.stringify(command.log())
    for (const secret of [apiKey, speechRequest.text, 'laundry'])
      expect(written).not.toContain(secret)
  })

  it('logs that an upstream failed, but not the text that it repeats', async () => {
    const secret = 'The code of the safe is one two three.'
    const nova = { voiceId: 'Nova', displayName: 'Nova', langCode: 'EN_US' }
    const upstream = await startTestServer((response, { url }) => {
      if (url?.startsWith('/voices/')) return void response.end(JSON.stringify({ voices: [nova] }))
      if (url === '/v1/chat/completions') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void response.write(`data: {"half":"${secret}`, () => response.destroy())
      }
      const error = { code: 3, message: `Cannot say: ${secret}` }
      response.end(`${audioLine(Buffer.alloc(48_000, 1))}${JSON.stringify({ error })}\n`)
    })
    const chatUpstream = `${upstream.baseUrl}/v1`
    const command = await start(['--upstream', upstream.baseUrl, '--chat-upstream', chatUpstream])
    const ask = async (path: string, body: object) => {
      const init = { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(command.baseUrl + path, init)
      return response.text().catch(() => 'broken off')
    }
    const [voiceId, model] = ['Nova', 'svc-tts-2']
    const line = await ask('/tts/v1/voice:stream', { text: secret, voiceId, modelId: model })
    expect(line).toMatch(/"error":\{"code":3,"message":".*Cannot say/)
    const bytes = await ask('/v1/audio/speech', { input: secret, voice: voiceId, model })
    const messages = [{ role: 'user', content: secret }]
    const chat = await ask('/v1/chat/completions', { model: 'large', messages, stream: true })
    expect([bytes, chat]).toEqual(['broken off', 'broken off'])
    command.kill('SIGINT')
    await command.ended
    const failed = command.log().filter(({ msg }) => msg === 'failed')
    expect(failed).toMatchObject(
      Array(2).fill({ err: { name: 'ServiceError', code: 'INVALID_ARGUMENT' } }),
    )
    expect(JSON.stringify(command.log())).not.toContain('safe')
  })

  it('logs transcriptions, but neither what was said nor the expected words, also if the recogniser fails', async () => {
    const secret = 'The code of the safe is one two three.'
    const json = (value: object) => JSON.stringify(value)
    const replies: [number, string][] = [
      [200, json({ text: secret })],
      [200, `{"text":"${secret}`],
      [400, json({ error: { message: `Cannot read: ${secret}` } })],
      [500, json({ error: { message: `Failed after: ${secret}` } })],
    ]
    let reply = replies[0]!
    const upstream = await startTestServer((response) => {
      const [status, body] = reply
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const command = await start([
      '--log-level',
      'debug',
      '--transcription-upstream',
      `${upstream.baseUrl}/v1`,
      '--transcription-upstream-model',
      'whisper-1',
    ])
    const content = Buffer.from(voicedSound({ seconds: 2 }).buffer).toString('base64')
    const transcribeConfig = {
      audioEncoding: 'LINEAR16',
      modelId: 'upstream/whisper-1',
      prompts: ['safecracker'],
    }
    const body = json({ transcribeConfig, audioData: { content } })
    const responses = []
    for (reply of replies) {
      const init = { method: 'POST', body }
      const response = await fetch(`${command.baseUrl}/stt/v1/transcribe`, init)
      responses.push({ status: response.status, text: await response.text() })
    }
    command.kill('SIGINT')
    await command.ended
    expect(responses.map(({ status }) => status)).toEqual([200, 502, 400, 500])
    expect(responses[0]!.text).toContain(secret)
    const finished = command.log().filter(({ msg }) => msg === 'request finished')
    expect(finished).toHaveLength(replies.length)
    expect(JSON.stringify(command.log())).not.toContain('safe')
  })
})
