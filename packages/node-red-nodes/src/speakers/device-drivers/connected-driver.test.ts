import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { expect, it } from 'vitest'
import { soundOf } from '../../sounds/sound.ts'
import { createConnectedDriver } from './connected-driver.ts'

const format = { audioEncoding: 'MP3', sampleRateHertz: 44_100 } as const
const { signal } = new AbortController()
const sound = soundOf(format, Buffer.alloc(400))
const options = { signal, volume: 100, onFirstSound() {}, handOut() {} }

/** A driver whose connections are numbered. @param opened Resolves when a connection is open. */
function createDriver(opened: (signal: AbortSignal) => Promise<unknown> = async () => {}) {
  const open = new Set<number>()
  const played: number[] = []
  let last = 0
  const driver = createConnectedDriver<number>({
    RED: speakerTexts.en,
    format,
    async connect(signal) {
      await opened(signal)
      last += 1
      open.add(last)
      return last
    },
    isOpen: (connection) => open.has(connection),
    close: (connection) => void open.delete(connection),
    async play(connection) {
      played.push(connection)
      return { confirmedBy: 'player' }
    },
  })
  return { driver, open, played }
}

it('plays a sound on the connection that was prepared for it', async () => {
  const { driver, open, played } = createDriver()
  for (const connection of [1, 2]) {
    expect(await driver.prepare(signal)).toBe(format)
    await driver.play(sound, options)
    expect(played.at(-1)).toBe(connection)
  }
  expect(open.size).toBe(0)
})

it('connects again if the connection has ended since', async () => {
  const { driver, open, played } = createDriver()
  await driver.prepare(signal)
  open.clear()
  await driver.play(sound, options)
  expect(played).toEqual([2])
})

it('keeps no connection that opens after it was closed', async () => {
  let finish = () => {}
  const { driver, open } = createDriver(() => new Promise<void>((resolve) => (finish = resolve)))
  const prepared = driver.prepare(signal)
  await driver.close()
  finish()
  await expect(prepared).rejects.toMatchObject({ code: 'SPEAKER_NOT_REACHABLE' })
  expect(open.size).toBe(0)
})
