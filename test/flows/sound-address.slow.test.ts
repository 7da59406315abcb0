import { writeWavHeader } from '@parlando/core/audio'
import { startNodeRed } from '@parlando/test-support/node-red/process'
import { expect, it, vi } from 'vitest'

const wav = Buffer.concat([
  writeWavHeader({ sampleRateHertz: 8000, dataBytes: 8 }),
  Buffer.alloc(8),
])

const place = { z: 'tab', x: 0, y: 0 }
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  {
    id: 'inject',
    type: 'inject',
    ...place,
    props: [{ p: 'payload' }],
    payload: JSON.stringify([...wav]),
    payloadType: 'bin',
    wires: [['address']],
  },
  { id: 'address', type: 'parlando-address', ...place, wires: [['url'], []] },
  { id: 'url', type: 'debug', ...place, active: true, tosidebar: true, complete: 'payload' },
]

/** The password is `secret`. */
const httpNodeAuth = {
  user: 'player',
  pass: '$2b$08$h0KzID3kopdXf8wq8H08LuBHh7ljlzoKmI85986vf9pJXZpZPS/jC',
}

it('the address of a sound leads to the root of the HTTP nodes, and warns about a password', async () => {
  const nodeRed = await startNodeRed(flow, { settings: { httpNodeRoot: '/api', httpNodeAuth } })
  try {
    await nodeRed.inject('inject')
    await vi.waitFor(() => expect(nodeRed.debugTexts('url')).toHaveLength(1))
    const [url] = nodeRed.debugTexts('url')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/parlando\/sounds\/[\w-]{22}\.wav$/)
    await vi.waitFor(() =>
      expect(nodeRed.statuses('address').at(-1)).toMatch(/address\.status\.password$/),
    )
    expect((await fetch(url!)).status).toBe(401)
    const authorization = `Basic ${Buffer.from('player:secret').toString('base64')}`
    const response = await fetch(url!, { headers: { authorization } })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(wav)
  } finally {
    await nodeRed.close()
  }
})
