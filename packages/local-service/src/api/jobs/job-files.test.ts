import { speechRequest } from '@parlando/test-support/local-service/test-app'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openIn, openService } from './long-text-service.test-case.ts'

describe('the file of a long text', () => {
  it('is read in parts, as a player seeks', async () => {
    const service = await openService()
    const { operation } = await service.submit({ ...speechRequest, text: 'The door is open.' })
    await service.ended(operation.name)
    const { audioUri } = (await service.read(operation.name)).response
    const path = audioUri.replace('http://localhost', '')
    const get = async (headers: Record<string, string>) => {
      const response = await service.app.request(path, { headers })
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const whole = await get({})
    const { length } = whole.bytes
    expect(whole.response.headers.get('accept-ranges')).toBe('bytes')
    const part = await get({ range: `bytes=100-${length - 2}` })
    expect(part.response.status).toBe(206)
    expect(part.response.headers.get('content-range')).toBe(`bytes 100-${length - 2}/${length}`)
    expect(part.response.headers.get('content-length')).toBe(`${length - 101}`)
    expect(part.bytes).toEqual(whole.bytes.subarray(100, -1))
    expect((await get({ range: 'bytes=-10' })).bytes).toEqual(whole.bytes.subarray(-10))
    const beyond = await get({ range: `bytes=${length}-` })
    expect(beyond.response.status).toBe(416)
    expect(beyond.response.headers.get('content-range')).toBe(`bytes */${length}`)
    const other = await get({ range: 'bytes=0-9', 'if-range': '"another file"' })
    expect([other.response.status, other.bytes.length]).toEqual([200, length])
    const etag = whole.response.headers.get('etag')!
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).bytes).toHaveLength(10)
  })

  it('is asked for again while Redis is away', needs('redis-server'), async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const service = await openService({ open: openIn(redis) })
    const { operation } = await service.submit(speechRequest)
    await service.ended(operation.name)
    const { audioUri } = (await service.read(operation.name)).response
    redis.pause()
    const { status } = await service.request(audioUri)
    redis.resume()
    expect(status).toBe(503)
  })
})
