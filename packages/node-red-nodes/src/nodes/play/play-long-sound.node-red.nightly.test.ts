import { writeWavHeader } from '@parlando/core/audio'
import { surroundingNodes } from '@parlando/test-support/node-red/flows/flow-harness'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { createFakeSpeaker, provideFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { expect, it } from 'vitest'

const { load } = useNodeRed()

it('the play node plays half an hour from an address, and reads it no faster than it plays', async () => {
  const halfAnHour = 1800 * 48_000
  let sent = 0
  const server = await startTestServer((response) => {
    response.writeHead(200, { 'Content-Type': 'audio/wav' })
    response.write(writeWavHeader({ sampleRateHertz: 24_000, dataBytes: halfAnHour }))
    const write = () => {
      while (sent < halfAnHour) {
        sent += 48_000
        if (!response.write(Buffer.alloc(48_000, sent / 48_000))) {
          return void response.once('drain', write)
        }
      }
      response.end()
    }
    write()
  })
  const flow = await load([
    { id: 'node', type: 'parlando-play', z: 'tab', wires: [['out'], []] },
    ...surroundingNodes('node'),
  ])
  const speaker = createFakeSpeaker('kitchen')
  provideFakeSpeaker(speaker)
  let heard = 0
  let readAhead = 0
  speaker.driver.play = async (sound, { signal, onFirstSound }) => {
    onFirstSound()
    for await (const piece of sound.read(signal)) {
      heard += piece.length
      readAhead = Math.max(readAhead, sent - heard)
    }
    return { confirmedBy: 'player' }
  }
  flow.node('node').receive({ payload: `${server.baseUrl}/long.wav` })
  const [message] = await flow.waitFor('out', 1)
  expect(message).toMatchObject({ playback: { durationSeconds: 1800 } })
  expect(heard).toBe(halfAnHour)
  expect(readAhead).toBeLessThan(48 * 1024 * 1024)
}, 90_000)
