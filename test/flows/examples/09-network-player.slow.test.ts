import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it } from 'vitest'

const example = useExample('09 - Speak on a network player.json')

it('sends an address at once, from which a player receives the whole text', async () => {
  await example.press('say it')
  const [address] = await example.debugTexts('for the player')
  expect(address).toMatch(/^http:\/\/.+\/parlando\/sounds\/[\w-]{22}\.mp3$/)
  // The address of this machine in its network, on which this Node-RED does not listen.
  const audio = await example.fetch(new URL(address!).pathname)
  expect(audio.headers.get('content-type')).toBe('audio/mpeg')
  const { payload } = nodeNamed(example.flow, 'say it')
  await expectSpoken(new Uint8Array(await audio.arrayBuffer()), payload)
})

it('reports an address that no player fetches', async () => {
  await example.press('say it')
  const [problem] = await example.debugTexts('no player')
  expect(problem).toMatch(/^No player has fetched the sound in time\. \w/)
})
