import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSharedDocuments } from './redis-documents.ts'
import { StoreAwayError } from './store-errors.ts'

async function open(url: string) {
  const documents = await openSharedDocuments({ url, kind: 'voices' })
  onTestFinished(() => documents.close())
  return documents
}

describe('documents in Redis', needs('redis-server'), () => {
  it('are written, read and removed by several processes, each of which sees that they changed', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const [one, other] = await Promise.all([open(server.url), open(server.url)])
    await vi.waitFor(() => other.version(), 20_000)
    const before = await other.version()
    const bytes = Buffer.from([0, 255, 10])
    await vi.waitFor(() => one.writeAttachment('anna', bytes), 20_000)
    await one.write('anna', '{"name":"Anna"}')
    expect(await other.version()).not.toBe(before)
    expect([...(await other.readAll())]).toEqual([['anna', '{"name":"Anna"}']])
    expect(await other.readAttachment('anna')).toEqual(bytes)
    await other.write('anna', '{"name":"Anne"}')
    expect(await one.readAttachment('anna')).toEqual(bytes)
    const written = await one.version()
    await other.remove('anna')
    await other.remove('nobody')
    expect(await one.version()).not.toBe(written)
    expect([await one.has('anna'), await one.readAttachment('anna')]).toEqual([false, undefined])
    expect((await one.readAll()).size).toBe(0)
  })

  it('are removed when the server is full, which is not called away', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const documents = await open(server.url)
    await vi.waitFor(() => documents.writeAttachment('anna', Buffer.from('1')), 20_000)
    await documents.write('anna', '{}')
    const before = await documents.version()
    await server.limitMemory(1)
    const writeAttachment = () => documents.writeAttachment('ben', Buffer.from('1'))
    for (const add of [() => documents.write('ben', '{}'), writeAttachment])
      await expect(add()).rejects.toMatchObject({ code: 'STORE_FULL' })
    await documents.remove('anna')
    expect([...(await documents.readAll())]).toEqual([])
    expect(await documents.readAttachment('anna')).toBeUndefined()
    expect(await documents.version()).not.toBe(before)
  })

  it('fail while the server is away, and are there when it is back', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const documents = await open(server.url)
    await vi.waitFor(() => documents.write('anna', '{}'), 20_000)
    server.pause()
    await expect(documents.readAll()).rejects.toThrow(StoreAwayError)
    await expect(documents.version()).rejects.toThrow(StoreAwayError)
    server.resume()
    await vi.waitFor(async () => expect(await documents.has('anna')).toBe(true), 20_000)
  })
})

it('documents in Redis fail at once where no server is', async () => {
  const documents = await open(unreachableUrl.replace('http', 'redis'))
  await expect(documents.readAll()).rejects.toMatchObject({ code: 'STORE_AWAY' })
})
