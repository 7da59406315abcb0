import { type LocalService, startLocalService } from '@parlando/local-service'
import { readWav } from '@parlando/test-support/audio/read-wav'
import { useSharedNodeRed } from '@parlando/test-support/node-red/shared-process'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { afterAll, describe, expect, it, vi } from 'vitest'

const place = { z: 'tab', x: 100, y: 100 }

/** `POST /say` speaks the body; on failure the response is 500 with the error from Catch. */
function sayFlow(baseUrl: string): object[] {
  return [
    { id: 'tab', type: 'tab', label: 'say' },
    { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
    { ...place, id: 'in', type: 'http in', url: '/say', method: 'post', wires: [['speak']] },
    {
      ...place,
      id: 'speak',
      type: 'parlando-speak',
      service: 'service',
      text: 'payload.text',
      textType: 'msg',
      voice: '',
      model: 'svc-tts-2',
      encoding: 'WAV',
      sampleRate: '16000',
      output: 'whole',
      busy: 'parallel',
      wires: [['out']],
    },
    { ...place, id: 'out', type: 'http response', statusCode: '', headers: {}, wires: [] },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [['report']] },
    {
      ...place,
      id: 'report',
      type: 'change',
      rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'error', tot: 'msg' }],
      wires: [['bad']],
    },
    { ...place, id: 'bad', type: 'http response', statusCode: '500', headers: {}, wires: [] },
  ]
}

let service: LocalService
const nodeRed = useSharedNodeRed(async () => {
  service = await startLocalService({ warmUp: false })
  return sayFlow(service.baseUrl)
})
afterAll(() => service?.close())

async function say(body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const url = `${nodeRed.baseUrl}/say`
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function expectSpeech(): Promise<void> {
  const response = await say({ text: 'The door is open.' })
  expect(response.headers.get('content-type')).toBe('audio/wav')
  const sound = readWav(Buffer.from(await response.arrayBuffer()))
  expect(sound.seconds).toBeGreaterThan(0.5)
  expect(sound.loudness).toBeGreaterThan(0.03)
}

describe('a real Node-RED', () => {
  it('responds to an HTTP request with speech', expectSpeech)

  it.each([
    [{}, 'INVALID_INPUT', 'msg.payload.text is empty: there is no text to speak'],
    [{ text: ['7'] }, 'INVALID_INPUT', /^msg\.payload\.text is /],
    [{ text: '今日は' }, 'INVALID_ARGUMENT', /^Speech rejected .*cannot say/],
  ])(
    'sends one readable sentence to Catch for %j, and speaks again',
    async (body, code, sentence) => {
      const response = await say(body)
      expect(response.status).toBe(500)
      const error = (await response.json()) as { message: string; code: string }
      expect(error.code).toBe(code)
      expect(error.message).toMatch(sentence)
      expect(error).not.toHaveProperty('stack')
      await expectSpeech()
    },
  )

  it('survives deploys during speech, closes every connection and speaks again', async () => {
    const slow = await startTestServer(
      (response) => void response.write(audioLine(Buffer.alloc(2))),
    )
    const flow = sayFlow(slow.baseUrl)
    for (let round = 1; round <= 3; round++) {
      await nodeRed.deploy(flow)
      void say({ text: 'Never ends' }).catch(() => {})
      await vi.waitFor(() => expect(slow.openSockets()).toBeGreaterThan(0))
    }
    await nodeRed.deploy(sayFlow(service.baseUrl))
    await vi.waitFor(() => expect(slow.openSockets()).toBe(0))
    await expectSpeech()
    expect(nodeRed.isRunning()).toBe(true)
    expect(nodeRed.log()).not.toContain('Uncaught')
  })
})
