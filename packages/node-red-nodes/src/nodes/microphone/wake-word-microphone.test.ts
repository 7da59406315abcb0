import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bytesPerSecond } from '../../microphones/microphone-recording.ts'
import type { WakeWordListenerOptions } from '../../microphones/wake-word/wake-word-listener.ts'
import type { MicrophoneMessage } from './microphone-message.ts'
import { WakeWordMicrophone } from './wake-word-microphone.ts'

type Reports = Pick<WakeWordListenerOptions, 'onWaiting' | 'onWake' | 'onProblem'>

const RED = {
  _: (key: string, values: object = {}) => [key, ...Object.values(values)].join(' '),
  util: { generateId: () => 'id', cloneMessage: structuredClone },
} as unknown as NodeAPI

/**
 * @param recorder what a program in the place of parec does: a script of the shell.
 * @param problem why no service can listen for the wake word.
 */
async function waitOnMachine(
  recorder: string,
  { problem, retryMs }: { problem?: Error; retryMs?: number } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'wake-word-microphone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'parec'), `#!/bin/sh\n${recorder}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const sent: MicrophoneMessage[] = []
  const statuses: string[] = []
  const errors: string[] = []
  const heard: Buffer[] = []
  const node = {
    send: (message: MicrophoneMessage) => void sent.push(message),
    status: ({ text = '' }) => void statuses.push(text),
    error: (error: unknown) => void errors.push(String(error)),
  } as unknown as Node
  let reports: Reports | undefined
  const microphone = new WakeWordMicrophone(RED, node, {
    device: '',
    topic: 'desk',
    ...(retryMs !== undefined && { retryMs }),
    openListener(given) {
      if (problem) throw problem
      reports = given
      return { push: (pcm) => void heard.push(pcm), close: async () => {} }
    },
  })
  onTestFinished(() => microphone.close())
  return { microphone, reports: reports!, sent, statuses, errors, heard }
}

const silence = 'exec cat /dev/zero'

it('records nothing before the wake word, and what follows until silence', async () => {
  const { reports, sent, statuses, heard } = await waitOnMachine(silence)
  reports.onWaiting(['hey jarvis'])
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0))
  expect(sent).toEqual([])
  expect(statuses.at(-1)).toBe('microphone.status.waiting hey jarvis')
  const since = Buffer.alloc(bytesPerSecond / 10, 1)
  reports.onWake(since)
  expect(sent[0]).toMatchObject({ topic: 'desk', payload: since, audio: { encoding: 'PCM' } })
  expect(statuses.at(-1)).toBe('microphone.status.recording')
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ complete: true }))
  expect(sent.at(-1)!.interrupted).toBeUndefined()
  expect(statuses.at(-1)).toBe('microphone.status.waiting hey jarvis')
})

it('records without the word when a message says so, and ignores the word meanwhile', async () => {
  const { microphone, reports, sent } = await waitOnMachine('exec sleep 1000')
  const recorded: MicrophoneMessage[] = []
  const given = { _msgid: 'given' }
  const ended = vi.fn()
  microphone.start(given, (message) => void recorded.push(message as MicrophoneMessage), ended)
  reports.onWake(Buffer.alloc(2))
  microphone.stop()
  expect(ended).toHaveBeenCalledExactlyOnceWith(undefined)
  expect([...sent, ...recorded]).toEqual([])
})

it('ends the recording and reports it when the recorder fails', async () => {
  const { reports, sent, errors } = await waitOnMachine('read -r line; printf "12345678"; exit 1')
  reports.onWake(Buffer.alloc(bytesPerSecond / 10, 1))
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  expect(errors[0]).toMatch(/not-recorded/)
  expect(sent.at(-1)).toMatchObject({ complete: true, interrupted: true })
})

it('records on a message although no service listens for the word', async () => {
  const problem = new Error('no service')
  const { microphone, errors, statuses } = await waitOnMachine(silence, { problem })
  const recorded: MicrophoneMessage[] = []
  const ended = vi.fn()
  microphone.start({ _msgid: 'given' }, (sent) => void recorded.push([sent].flat()[0]!), ended)
  await vi.waitFor(() => expect(ended).toHaveBeenCalledExactlyOnceWith(undefined))
  expect(recorded.length).toBeGreaterThan(1)
  expect(recorded.at(-1)).toMatchObject({ complete: true })
  expect(errors).toHaveLength(1)
  expect(statuses.at(-1)).toMatch(/cause/)
})

it('reports a recorder that fails only with the message that began the recording', async () => {
  const recorder = 'read -r line; printf "12345678"; exit 1'
  const { microphone, errors } = await waitOnMachine(recorder)
  const ended = vi.fn()
  microphone.start({ _msgid: 'given' }, () => {}, ended)
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
  expect(String(ended.mock.calls[0]![0])).toMatch(/not-recorded/)
  expect(errors).toEqual([])
})

it('shows that it waits again when the recorder records again, and reports its next failure', async () => {
  const recorder = 'printf "12345678"; exit 1'
  const { reports, errors, statuses } = await waitOnMachine(recorder, { retryMs: 1 })
  reports.onWaiting(['hey jarvis'])
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1))
  const failed = statuses.findIndex((text) => text !== 'microphone.status.waiting hey jarvis')
  expect(failed).toBeGreaterThan(0)
  expect(statuses.slice(failed)).toContain('microphone.status.waiting hey jarvis')
})

it('reports a problem of the service once, until it is another one', async () => {
  const { reports, errors, statuses } = await waitOnMachine('exec sleep 1000')
  for (const reason of ['away', 'away', 'busy']) reports.onProblem(new Error(reason))
  expect(errors.map((error) => error.replace(/^.*: /, ''))).toEqual(['away', 'busy'])
  reports.onWaiting(['hey jarvis'])
  expect(statuses.at(-1)).toBe('microphone.status.waiting hey jarvis')
})
