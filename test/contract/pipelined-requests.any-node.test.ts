import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'

// The service needs about 40 MB. 4 MB of requests, all parsed and waiting, need more than 300 MB.
const heapLimitMb = 128

async function startServiceWithLimitedHeap(): Promise<URL> {
  const thread = new Worker(new URL('service-thread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  })
  onTestFinished(async () => void (await thread.terminate()))
  const [baseUrl] = await once(thread, 'message')
  return new URL(baseUrl)
}

it('the service survives a client that sends 4 MB of requests and never reads', async () => {
  const { hostname, port, href } = await startServiceWithLimitedHeap()
  const client = connect(Number(port), hostname)
  client.on('error', () => {})
  client.pause()
  onTestFinished(() => void client.destroy())
  const request = 'GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  const count = (4 * 1024 * 1024) / request.length
  client.write(request.repeat(count))

  for (let attempt = 0; attempt < 10; attempt++) {
    const response = await fetch(`${href}openapi.yaml`)
    expect(response.status).toBe(200)
    await response.text()
  }
})
