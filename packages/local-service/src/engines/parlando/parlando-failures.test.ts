import { Readable } from 'node:stream'
import { writeWavHeader } from '@parlando/core/audio'
import {
  type Respond,
  startUpstreamEngine,
  tone,
} from '@parlando/test-support/local-service/upstream/upstream-engine'
import { audioLine } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'

const otherRate = Buffer.concat([writeWavHeader({ sampleRateHertz: 8000 }), tone])

function* endless(piece: string): Generator<string, never> {
  for (;;) yield piece
}

describe('the upstream engine', () => {
  it.each([
    [
      'the key of this service is rejected',
      401,
      'unavailable',
      'INTERNAL',
      502,
      /rejects the key of this service.*upstream-key/,
    ],
    [
      'the key of this service lacks permission',
      403,
      'unavailable',
      'INTERNAL',
      502,
      /rejects the key/,
    ],
    [
      'the caller requests an unknown voice',
      404,
      'input',
      'NOT_FOUND',
      404,
      /upstream service.*no such voice/,
    ],
    ['too many requests', 429, 'unavailable', 'RESOURCE_EXHAUSTED', 429, /upstream service/],
    ['the other service fails', 503, 'unavailable', 'UNAVAILABLE', 503, /upstream service/],
  ])('reports who caused an error: %s', async (_what, status, kind, code, httpStatus, message) => {
    const { phrase } = await startUpstreamEngine((response) => {
      response.writeHead(status).end('{"message":"no such voice"}')
    })
    await expect(phrase()).rejects.toMatchObject({
      kind,
      response: { code, httpStatus },
      message: expect.stringMatching(message),
    })
  })

  it.each<[string, string, Respond]>([
    [
      'disconnects',
      'UNAVAILABLE',
      (response) => void response.write(audioLine(tone), () => response.destroy()),
    ],
    [
      'ends inside a line',
      'INTERNAL',
      (response) => void response.end(audioLine(tone) + audioLine(tone).slice(0, 100)),
    ],
    [
      'sends an endless error body',
      'INTERNAL',
      (response) => void Readable.from(endless('x'.repeat(10_000))).pipe(response.writeHead(500)),
    ],
    [
      'sends an endless line',
      'INTERNAL',
      (response) => void Readable.from(endless('x'.repeat(1_000_000))).pipe(response),
    ],
    ['sends no audio', 'INTERNAL', (response) => void response.end('{"result":{}}\n')],
    [
      'sends another sample rate',
      'INTERNAL',
      (response) => void response.end(audioLine(otherRate)),
    ],
  ])('fails with the address when the server %s', async (_what, code, speak) => {
    const { phrase, server } = await startUpstreamEngine(speak)
    await expect(phrase()).rejects.toMatchObject({
      kind: 'unavailable',
      response: { code },
      message: expect.stringContaining(server.baseUrl),
    })
  })

  it('disconnects from a server that never stops speaking', async () => {
    const second = audioLine(Buffer.alloc(48_000, 1))
    const { phrase, server, sounds } = await startUpstreamEngine(
      (response) => void Readable.from(endless(second)).pipe(response),
    )
    const disconnected = server.nextDisconnect()
    await expect(phrase({ text: 'Hi' })).rejects.toMatchObject({
      kind: 'unavailable',
      response: { code: 'INTERNAL', httpStatus: 502 },
      message: expect.stringContaining(`${server.baseUrl}: it sends more than 12 s of audio`),
    })
    await disconnected
    expect(sounds.length).toBe(12)
  }, 10_000)

  it.each<[string, number]>([
    ['only sends empty lines', 200],
    ['sends a slow error body', 500],
  ])(
    'disconnects from a server that endlessly %s',
    async (_what, status) => {
      const drip: Respond = (response) => {
        response.writeHead(status)
        const timer = setInterval(() => response.write('\n'), 20)
        response.once('close', () => clearInterval(timer))
      }
      const { phrase, server } = await startUpstreamEngine(drip, { timeLimitMs: 300 })
      const disconnected = server.nextDisconnect()
      await expect(phrase()).rejects.toMatchObject({
        kind: 'timeout',
        response: { code: 'DEADLINE_EXCEEDED', httpStatus: 504 },
        message: expect.stringContaining(`${server.baseUrl}: Speech failed: it took longer than`),
      })
      await disconnected
    },
    10_000,
  )
})
