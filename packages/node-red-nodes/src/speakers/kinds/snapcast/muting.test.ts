import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startScriptedDevice } from '@parlando/test-support/players/stand-ins/scripted-device'
import { expect, it, onTestFinished } from 'vitest'
import { deviceAt } from '../../network/device.ts'
import { Muting } from './muting.ts'
import { SnapcastControl } from './snapcast-control.ts'

/** A server of two groups, of which one is gone. */
async function startServer() {
  const isMuted = new Map([['hall', false]])
  const device = await startScriptedDevice((socket) => {
    let rest = ''
    socket.on('data', (data) => {
      const lines = (rest + data).split('\n')
      rest = lines.pop()!
      for (const line of lines.filter((line) => line.trim())) {
        const { id, params } = JSON.parse(line)
        const isKnown = isMuted.has(params.id)
        if (isKnown) isMuted.set(params.id, params.mute)
        const error = { code: -32_603, message: 'Group not found' }
        socket.write(`${JSON.stringify({ id, ...(isKnown ? { result: {} } : { error }) })}\r\n`)
      }
    })
  })
  onTestFinished(device.close)
  const open = () =>
    SnapcastControl.open(
      deviceAt(device.address, {
        RED: speakerTexts.en,
        name: 'Snapcast',
        defaultPort: 1705,
        responseMs: 10_000,
      }),
      AbortSignal.timeout(10_000),
    )
  return { isMuted, open }
}

it('a group is heard again although the server did not mute another one', async () => {
  const { isMuted, open } = await startServer()
  const muting = new Muting(open)
  const control = await open()
  onTestFinished(() => control.close())
  const groups = ['gone', 'hall'].map((id) => ({
    ...{ id, streamId: 'Music', clients: 1, latencyMs: 0 },
    isMuted: false,
  }))
  await expect(muting.mute(control, groups, 1)).rejects.toThrow('Group not found')
  await muting.ended
  expect(isMuted.get('hall')).toBe(false)
})
