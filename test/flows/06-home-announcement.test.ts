import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { useExample } from '@parlando/test-support/node-red/example'
import { expect, it } from 'vitest'

const example = useExample('06 - Home announcement.json', (flow, baseUrl) => {
  const address = flow[0]!['env'].find(({ name }: { name: string }) => name === 'ADDRESS')
  address.value = baseUrl
})

it('sends the address of the announcement to a player, and serves the audio there', async () => {
  const early = await example.fetch('/announcement.mp3')
  expect(early.status).toBe(404)
  expect(await early.text()).toBe('Nothing has been announced yet.')

  await example.press('front door closes')
  await example.press('front door opens')
  const [address] = await example.debugTexts('for the player')
  expect(address).toMatch(new RegExp(`^${example.nodeRed.baseUrl}/announcement.mp3\\?\\d+$`))
  for (const _listener of ['one', 'another']) {
    const audio = await fetch(address!)
    expect(audio.headers.get('content-type')).toBe('audio/mpeg')
    await expectSpoken(new Uint8Array(await audio.arrayBuffer()), 'The front door is open.')
  }
  expect(await example.debugTexts('for the player')).toHaveLength(1)
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
