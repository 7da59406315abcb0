import { useExample } from '@parlando/test-support/node-red/example'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startMosquitto } from '@parlando/test-support/programs/mosquitto'
import { afterAll, describe, expect, it, vi } from 'vitest'

const broker = await startMosquitto()

describe('a real broker', needs('mosquitto'), () => {
  const example = useExample('08 - Announce over MQTT.json', (flow) => {
    const node = flow.find(({ type }) => type === 'mqtt-broker')!
    expect(node).toMatchObject({ broker: 'localhost', port: '1883' })
    Object.assign(node, { broker: '127.0.0.1', port: String(broker?.port) })
  })
  afterAll(() => broker?.close())

  it('delivers the text and returns the audio', async () => {
    await vi.waitFor(() => expect(example.nodeRed.log()).toContain('Connected to broker'), 60_000)
    await example.press('announce')
    await example.expectSpoken('announcement.mp3', 'Dinner is ready. Please come to the table.')
    expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
  })
})
