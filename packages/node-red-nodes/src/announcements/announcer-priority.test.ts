import {
  notSaid,
  said,
  seconds,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it, vi } from 'vitest'
import { createSound } from '../sounds/sound.ts'
import type { Priority } from './announcement.ts'

useFakeClock()

describe('the priority of an announcement', () => {
  it.each<[Priority, Priority]>([
    ['normal', 'info'],
    ['urgent', 'normal'],
    ['alarm', 'urgent'],
  ])('lets %s cut %s at once', async (higher, lower) => {
    const { announce, texts } = useAnnouncer()
    announce('Lower.', { priority: lower, seconds: 10 })
    await seconds(1)
    const report = announce('Higher.', { priority: higher })
    await seconds(2)
    expect(await report).toEqual(said)
    expect(texts().slice(0, 2)).toEqual(['Lower....', 'Higher.'])
  })

  it('puts the important ones first in the queue', async () => {
    const { announce, texts } = useAnnouncer()
    announce('Plays.', { priority: 'alarm' })
    for (const priority of ['info', 'urgent', 'normal', 'urgent'] as const) {
      announce(priority, { priority })
    }
    await seconds(20)
    expect(texts()).toEqual(['Plays.', 'urgent', 'urgent', 'normal', 'info'])
  })

  it.each(['normal', 'urgent'] as const)(
    '%s that was cut is said again whole, once',
    async (priority) => {
      const { announce, texts } = useAnnouncer()
      const report = announce('Long.', { priority, seconds: 10 })
      for (const text of ['One.', 'Two.']) {
        await seconds(4)
        announce(text, { priority: 'alarm' })
      }
      await seconds(20)
      expect(await report).toEqual(notSaid('interrupted'))
      expect(texts()).toEqual(['Long....', 'One.', 'Long....', 'Two.'])
    },
  )

  it('reports one that was cut and cannot begin again, because its start is no longer in memory', async () => {
    const { announce, texts } = useAnnouncer()
    const sound = createSound({ audioEncoding: 'PCM', sampleRateHertz: 24_000 }, 48_000)
    const report = announce('Long.', { makeSound: () => sound })
    const failed = expect(report).rejects.toMatchObject({
      code: 'OUT_OF_RANGE',
      message: expect.stringContaining('start-gone'),
    })
    for (let made = 0; made < 10; made++) {
      sound.append(new Uint8Array(48_000))
      await seconds(1)
    }
    announce('Alarm.', { priority: 'alarm' })
    announce('Later.')
    await seconds(5)
    await failed
    expect(texts()).toEqual(['Long....', 'Alarm.', 'Long....', 'Later.'])
  })

  it('lets one that was cut be said again before those that came after it', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Long.', { seconds: 10 })
    announce('Later.')
    await seconds(1)
    announce('Alarm.', { priority: 'alarm' })
    await seconds(20)
    expect(await report).toMatchObject({ status: 'said', times: 1 })
    expect(texts()).toEqual(['Long....', 'Alarm.', 'Long.', 'Later.'])
  })

  it('does not let one that was cut be said again after it has expired', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Long.', { expiresInMs: 5000, seconds: 10 })
    await seconds(4)
    announce('Alarm.', { priority: 'alarm' })
    await seconds(20)
    expect(await report).toEqual(notSaid('expired'))
    expect(texts()).toEqual(['Long....', 'Alarm.'])
  })

  it('info that was cut is not said again', async () => {
    const { announce, texts } = useAnnouncer()
    const report = announce('Info.', { priority: 'info' })
    await seconds(1)
    announce('Normal.')
    await seconds(10)
    expect(await report).toEqual(notSaid('interrupted'))
    expect(texts()).toEqual(['Info....', 'Normal.'])
  })

  it('lets an alarm cut an alarm after 10 seconds, and lets that be said whole afterwards', async () => {
    const { announce, kitchen, texts } = useAnnouncer()
    const first = announce('First.', { priority: 'alarm', seconds: 30 })
    await seconds(1)
    const second = announce('Second.', { priority: 'alarm', seconds: 15 })
    await seconds(60)
    expect(await Promise.all([first, second])).toEqual([said, said])
    expect(texts()).toEqual(['First....', 'Second.', 'First.'])
    expect(kitchen.played[1]!.startedAt - kitchen.played[0]!.startedAt).toBe(10_000)
  })
})

describe('the queue of a speaker', () => {
  it.each<[Priority, number]>([
    ['info', 60],
    ['normal', 300],
    ['urgent', 300],
  ])('drops %s that has waited for %i seconds', async (priority, limit) => {
    const { announce } = useAnnouncer()
    const isOver = vi.fn()
    // No sound is that long, so alarms follow each other.
    for (let alarm = 0; alarm < 4; alarm++) {
      announce(`Alarm ${alarm}.`, { priority: 'alarm', seconds: 119, topic: `${alarm}` })
    }
    const report = announce('Waits.', { priority })
    report.then(isOver)
    await seconds(limit - 1)
    expect(isOver).not.toHaveBeenCalled()
    await seconds(2)
    expect(await report).toEqual(notSaid('expired'))
  })

  it('never drops an alarm that waits', async () => {
    const { announce, texts } = useAnnouncer()
    for (let alarm = 1; alarm <= 9; alarm++) {
      announce(`Alarm ${alarm}.`, { priority: 'alarm', seconds: 100 })
    }
    await seconds(1000)
    const whole = texts().filter((text) => !text?.endsWith('...'))
    expect(whole.sort()).toEqual(Array.from({ length: 9 }, (_, index) => `Alarm ${index + 1}.`))
  })

  it('holds 20 announcements, and drops the oldest of the lowest priority', async () => {
    const { announce } = useAnnouncer()
    announce('Plays.', { priority: 'alarm' })
    const reports = ['normal', 'info', 'info', ...Array<Priority>(17).fill('urgent')].map(
      (priority, index) => announce(`${index}`, { priority: priority as Priority }),
    )
    const dropped: number[] = []
    for (const [index, report] of reports.entries()) {
      report.then(({ reason }) => reason === 'too many waiting' && dropped.push(index))
    }
    for (const text of ['a', 'b', 'c', 'd']) {
      announce(text, { priority: 'urgent' })
      await seconds(0)
    }
    expect(dropped).toEqual([1, 2, 0, 3])
  })

  it('survives 10,000 announcements in a second, and gives a reason for each that is not said', async () => {
    const { announce, texts } = useAnnouncer()
    const reports = Array.from({ length: 10_000 }, (_, index) => announce(`${index}`))
    await seconds(60)
    const ends = await Promise.all(reports)
    expect(ends.filter(({ status }) => status === 'said')).toHaveLength(21)
    expect(ends.filter(({ reason }) => reason === 'too many waiting')).toHaveLength(9979)
    expect(texts()[0]).toBe('0')
    expect(texts().slice(1)).toEqual(Array.from({ length: 20 }, (_, index) => `${9980 + index}`))
    // Connections of earlier files can set some timers meanwhile.
    expect(vi.getTimerCount()).toBeLessThan(10)
  })
})
