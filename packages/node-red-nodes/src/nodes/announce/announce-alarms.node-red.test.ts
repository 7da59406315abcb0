import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  failToRead,
  lastStatus,
  textsOn,
  useAnnounce,
  withGetter,
} from '@parlando/test-support/node-red/flows/announce-flow'
import { describe, expect, it, vi } from 'vitest'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'

const { loadAnnounce, unload, userFolder } = useAnnounce()

describe('an alarm that repeats until somebody acknowledges it', () => {
  const file = join(userFolder, 'parlando/alarms.json')
  const settings = { priority: 'alarm', untilAcknowledged: true, everySeconds: 1 }

  it('continues after a restart, until it is acknowledged', async () => {
    const before = await loadAnnounce(settings)
    before.announce({ payload: 'Fire!', topic: 'fire', floor: 2 })
    await vi.waitFor(() => expect(before.speaker.played[0]?.isWhole).toBe(true))
    await unload()
    expect(before.flow.received('notSaid')).toEqual([])

    const after = await loadAnnounce(settings)
    await vi.waitFor(() => expect(textsOn(after.speaker)).toContain('Fire!'))
    after.announce({ acknowledge: true, topic: 'fire' })
    const [message] = await after.flow.waitFor('said', 1)
    expect(message).toMatchObject({ floor: 2, announcement: { acknowledged: true } })
    await vi.waitFor(() => expect(lastStatus(after.flow)?.text).toContain('playback.acknowledged'))
    const { _msgid } = message as { _msgid: string }
    after.announce({ _msgid, payload: 'It is out.', priority: 'normal', repeat: false })
    await vi.waitFor(() => expect(textsOn(after.speaker)).toContain('It is out.'))
    await unload()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  })

  it('continues after a restart as its message said, also if that has the picture of a camera', async () => {
    const photo = Buffer.alloc(100_000)
    const before = await loadAnnounce()
    const { priority, ...repeat } = settings
    before.announce({ payload: 'Fire!', topic: 'fire', floor: 2, priority, repeat, photo })
    await vi.waitFor(() => expect(before.speaker.played[0]?.isWhole).toBe(true))
    await unload()

    const after = await loadAnnounce()
    await vi.waitFor(() => expect(textsOn(after.speaker)).toEqual(['Fire!', 'Fire!']), 10_000)
    after.announce({ acknowledge: true, topic: 'fire' })
    const [message] = await after.flow.waitFor('said', 1)
    expect(message).toMatchObject({ floor: 2, priority, announcement: { acknowledged: true } })
    expect(message).not.toHaveProperty('photo')
  })

  it('is silent after msg.later, also over a restart, until it is said again', async () => {
    const before = await loadAnnounce(settings)
    before.announce({ payload: 'Fire!', topic: 'fire' })
    await vi.waitFor(() => expect(before.speaker.played[0]?.isWhole).toBe(true))
    before.announce({ later: true, topic: 'fire' })
    await vi.waitFor(() => expect(lastStatus(before.flow)?.text).toContain('playback.postponed'))
    await unload()
    const [alarm] = JSON.parse(readFileSync(file, 'utf8'))
    expect((alarm.againAt - Date.now()) / 60_000).toBeCloseTo(10, 0)

    const soon = await loadAnnounce(settings)
    await vi.waitFor(() => expect(lastStatus(soon.flow)?.text).toContain('playback.postponed'))
    expect(soon.speaker.played).toEqual([])
    await unload()
    writeFileSync(file, JSON.stringify([{ ...alarm, againAt: Date.now() }]))

    const after = await loadAnnounce(settings)
    await vi.waitFor(() => expect(after.speaker.played[0]?.isWhole).toBe(true))
    after.announce({ acknowledge: true })
    await after.flow.waitFor('said', 1)
  })

  it('is forgotten when the settings of its node have changed', async () => {
    const before = await loadAnnounce(settings)
    before.announce({ payload: 'Fire!' })
    await vi.waitFor(() => expect(before.speaker.played).toHaveLength(1))
    await unload()
    const after = await loadAnnounce({ ...settings, untilAcknowledged: false })
    await after.flow.waitFor('said', 1)
    await unload()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  })

  it('is over if it fails before it can be announced after a restart', async () => {
    const alarm = { id: 'alarm', nodeId: 'announce', text: 'Fire!', times: 3 }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify([{ ...alarm, message: { payload: 'Fire!', floor: 2 } }]))
    const { flow } = await loadAnnounce({ ...settings, service: 'deleted' })
    const [message] = await flow.waitFor('notSaid', 1)
    expect(message).toMatchObject({
      floor: 2,
      announcement: { reason: 'failed', error: { code: 'INVALID_INPUT' } },
    })
    await flow.waitFor('caught', 1)
    await unload()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  })

  it('that is said again after its message has left sends no second one, also after a restart', async () => {
    const before = await loadAnnounce()
    const announced = vi.spyOn(sharedPlayback().announcer, 'announce')
    before.announce({ payload: 'Dinner!' })
    await before.flow.waitFor('said', 1)
    // This is what "later" does.
    announced.mock.calls[0]![1].onAgain!(Date.now() + 600_000)
    await vi.waitFor(() => expect(lastStatus(before.flow)?.text).toContain('playback.postponed'))
    await unload()
    const [alarm] = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify([{ ...alarm, againAt: Date.now() }]))

    const after = await loadAnnounce()
    await after.flow.waitFor('completed', 1)
    expect(textsOn(after.speaker)).toEqual(['Dinner!'])
    expect(after.flow.received('said')).toEqual([])
    expect(after.flow.received('notSaid')).toEqual([])
  })

  it.each(['info', 'normal', 'urgent', 'alarm'])(
    'is kept with the priority %s',
    async (priority) => {
      const before = await loadAnnounce({ ...settings, priority })
      before.announce({ payload: 'The washing is done.', topic: 'washing' })
      await vi.waitFor(() => expect(before.speaker.played).toHaveLength(1))
      await unload()
      const after = await loadAnnounce({ ...settings, priority })
      await vi.waitFor(() => expect(textsOn(after.speaker)).toContain('The washing is done.'))
      expect(after.flow.received('notSaid')).toEqual([])
      after.announce({ acknowledge: true })
      await after.flow.waitFor('said', 1)
    },
  )

  it('is the only announcement that is kept: not one with a number of times', async () => {
    rmSync(file, { force: true })
    const { announce, speaker } = await loadAnnounce({
      ...settings,
      untilAcknowledged: false,
      times: 2,
    })
    announce({ payload: 'Fire!' })
    await vi.waitFor(() => expect(speaker.played).toHaveLength(1))
    await unload()
    expect(existsSync(file)).toBe(false)
  })

  it('is acknowledged by a button, whose topic is its own, but not by the topic of another alarm', async () => {
    const { flow, announce, speaker } = await loadAnnounce(settings)
    announce({ payload: 'Water!', topic: 'water' })
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    announce({ payload: 'pressed', topic: 'home/button', acknowledge: true })
    await flow.waitFor('said', 1)

    announce({ payload: 'Fire!', topic: 'fire' })
    await vi.waitFor(() => expect(textsOn(speaker)).toContain('Fire!'))
    announce({ acknowledge: true, topic: 'water' })
    announce({ acknowledge: true, topic: 'fire' })
    const [, fire] = await flow.waitFor('said', 2)
    expect(fire).toMatchObject({ payload: 'Fire!', announcement: { acknowledged: true } })
    announce({ acknowledge: true, topic: 'home/button' })
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toContain('nothing-to-acknowledge'))
  })

  it('is tried again when it fails, and reported to Catch once', async () => {
    const { flow, announce, speaker } = await loadAnnounce(settings)
    speaker.failure = new SpeakerError('NO_PLAYER', 'The tablet is off.')
    announce({ payload: 'Fire!' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload: 'Fire!', error: { code: 'NO_PLAYER' } })
    await vi.waitFor(() => expect(lastStatus(flow)).toMatchObject({ fill: 'red' }))
    speaker.failure = undefined
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toContain('playback.repeats'))
    announce({ acknowledge: true })
    await flow.waitFor('said', 1)
    expect(flow.received('caught')).toHaveLength(1)
    expect(flow.received('notSaid')).toEqual([])
  })

  it('is tried again when it fails, although its message cannot be copied for Catch', async () => {
    const { flow, speaker } = await loadAnnounce(settings)
    speaker.failure = new SpeakerError('NO_PLAYER', 'The tablet is off.')
    flow.node('announce').receive(withGetter('other', failToRead))
    await vi.waitFor(() => expect(lastStatus(flow)).toMatchObject({ fill: 'red' }))
    speaker.failure = undefined
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    flow.node('announce').receive({ acknowledge: true })
  })
})
