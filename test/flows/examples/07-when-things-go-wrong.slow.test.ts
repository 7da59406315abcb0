import { connect, createServer } from 'node:net'
import { startLocalService } from '@parlando/local-service'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { freePort } from '@parlando/test-support/servers/addresses'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('07 - When things go wrong.json', async (flow) => {
  nodeNamed(flow, 'Out of reach')['baseUrl'] = `http://127.0.0.1:${port}`
})
const port = await freePort()
const text = 'The washing machine has finished.'

const failures = (count: number) => example.debugTexts('failure', count)
const spoken = async (count: number) =>
  JSON.parse((await example.debugTexts('spoken', count)).at(-1)!)

it('tries three times after a retryable failure, then speaks with another service', async () => {
  await example.press('say it')
  expect(await spoken(1)).toMatchObject({ voiceId: 'Ralph', encoding: 'WAV' })
  const all = await failures(3)
  expect(all).toHaveLength(3)
  for (const failure of all)
    expect(failure).toMatch(/127\.0\.0\.1.* \[NOT_REACHABLE, retryable: true\]$/)
  await example.expectSpoken('spoken.wav', text)
  expect(await example.debugTexts('status')).toContain('red ring')
})

it('does not retry a permanent failure, and speaks the replacement text', async () => {
  await example.press('say nothing')
  await spoken(2)
  const all = await failures(4)
  expect(all).toHaveLength(4)
  expect(all.at(-1)).toMatch(/ \[INVALID_INPUT, retryable: false\]$/)
  await example.expectSpoken(
    'spoken.wav',
    'Somebody wanted me to speak, but gave me nothing to say.',
  )
})

it('speaks with its own service if a retry finds it available again', async () => {
  const service = await startLocalService({ warmUp: false })
  // Starting a service takes seconds on a busy machine; opening a proxy to it takes no time.
  const way = createServer((socket) => {
    const { port: servicePort } = new URL(service.baseUrl)
    const onward = connect(Number(servicePort), '127.0.0.1')
    for (const end of [socket, onward]) end.on('error', () => {})
    socket.pipe(onward).pipe(socket)
  })
  onTestFinished(async () => {
    way.close()
    await service.close()
  })
  await example.press('say it')
  await failures(5)
  await new Promise<void>((resolve) => way.listen(port, '127.0.0.1', resolve))
  expect(await spoken(3)).toMatchObject({ voiceId: 'Clara' })
  expect(await failures(5)).toHaveLength(5)
})
