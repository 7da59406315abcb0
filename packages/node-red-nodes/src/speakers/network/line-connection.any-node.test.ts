import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { expect, it, onTestFinished } from 'vitest'
import { deviceAt } from './device.ts'
import { LineConnection } from './line-connection.ts'

/** A connection to a device that sends these pieces. */
async function connectTo(
  pieces: readonly (string | Buffer)[],
  { ends = false, responseMs = 20_000 } = {},
) {
  const device = await startScriptedDevice((socket) => {
    for (const piece of pieces) socket.write(piece)
    if (ends) socket.end()
  })
  const target = deviceAt(device.address, {
    RED: speakerTexts.en,
    name: 'A device',
    defaultPort: 1,
    responseMs,
  })
  const lines = await LineConnection.open(target, AbortSignal.timeout(20_000), 1000)
  onTestFinished(async () => {
    lines.close()
    await device.close()
  })
  return lines
}

it('joins the pieces of a line, also within a character', async () => {
  const [start, end] = [
    Buffer.from('grün\nblau\n').subarray(0, 3),
    Buffer.from('grün\nblau\n').subarray(3),
  ]
  const lines = await connectTo([start, end])
  expect([await lines.read(), await lines.read()]).toEqual(['grün', 'blau'])
})

it('reports that no line comes', async () => {
  const lines = await connectTo(['no end'], { responseMs: 200 })
  await expect(lines.read()).rejects.toMatchObject({
    code: 'SPEAKER_NOT_REACHABLE',
    message: expect.stringContaining('does not respond'),
  })
})

it('ends when a line comes too late: the next reader would take it for its own', async () => {
  const lines = await connectTo(['no end'], { responseMs: 200 })
  await expect(lines.read()).rejects.toThrow('does not respond')
  await expect(lines.read()).rejects.toThrow('closed the connection')
})

it('reports the end of the connection, also within a line', async () => {
  const lines = await connectTo(['first\nsec'], { ends: true })
  expect(await lines.read()).toBe('first')
  await expect(lines.read()).rejects.toMatchObject({
    message: expect.stringContaining('closed the connection'),
  })
})

it('reports a line without an end', async () => {
  const lines = await connectTo(['x'.repeat(2000)])
  await expect(lines.read()).rejects.toMatchObject({ code: 'SPEAKER_REFUSED' })
})

it('gives other work its turn while thousands of lines arrive', async () => {
  const lines = await connectTo(['\n'.repeat(5000)])
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  for (let index = 0; index < 5000; index++) await lines.read()
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(20)
})
