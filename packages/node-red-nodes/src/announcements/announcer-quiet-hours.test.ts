import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  notSaid,
  said,
  seconds,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it, vi } from 'vitest'
import type { Priority } from './announcement.ts'

useFakeClock()

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', minPriority: 'urgent' } as const
  const quietKitchen = (action: 'drop' | 'softly' | 'hold') =>
    createFakeSpeaker('kitchen', { quietHours: { ...night, action } })
  const everyHours = (hours: number) => ({
    times: Infinity,
    everySeconds: hours * 3600,
    untilAcknowledged: true,
  })

  it.each<[Priority, boolean]>([
    ['info', false],
    ['normal', false],
    ['urgent', true],
    ['alarm', true],
  ])('with *drop*: %s is said: %s', async (priority, isSaid) => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce } = useAnnouncer(quietKitchen('drop'))
    const report = announce('At night.', { priority })
    await seconds(2)
    expect(await report).toEqual(isSaid ? said : notSaid('quiet hours'))
  })

  it('with *softly*: says it at a quarter of the volume', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce, kitchen } = useAnnouncer(quietKitchen('softly'))
    announce('At night.')
    await seconds(2)
    announce('At night.', { priority: 'urgent' })
    await seconds(2)
    expect(kitchen.played.map(({ volume }) => volume)).toEqual([20, 80])
  })

  it('with *hold*: says it when they end, and does not count that time', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce, kitchen } = useAnnouncer(quietKitchen('hold'))
    const report = announce('At night.', { priority: 'info' })
    await seconds(8 * 3600 - 1)
    expect(kitchen.played).toEqual([])
    await seconds(60)
    expect(await report).toEqual(said)
  })

  it('with *hold*: drops it when the time in the message is over', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce } = useAnnouncer(quietKitchen('hold'))
    const report = announce('At night.', { expiresInMs: 3_600_000 })
    await seconds(3601)
    expect(await report).toEqual(notSaid('expired'))
  })

  it('with *hold*: notices when somebody sets the clock', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce } = useAnnouncer(quietKitchen('hold'))
    const report = announce('At night.')
    await seconds(60)
    vi.setSystemTime(new Date('2026-11-23T12:00:00'))
    await seconds(60)
    expect(await report).toEqual(said)
  })

  it('of one speaker leave the others', async () => {
    vi.setSystemTime(new Date('2026-11-22T23:00:00'))
    const { announce, kitchen } = useAnnouncer(quietKitchen('hold'))
    const hall = createFakeSpeaker('hall')
    const report = announce('At night.', { speakers: [kitchen, hall] })
    await seconds(2)
    expect(await report).toMatchObject({
      status: 'said',
      speakers: [
        { name: 'hall', status: 'said' },
        { name: 'kitchen', status: 'quiet hours' },
      ],
    })
    expect(kitchen.played).toEqual([])
  })

  it('with *hold*: one that somebody has postponed does not expire', async () => {
    vi.setSystemTime(new Date('2026-11-23T06:57:00'))
    const { announce, announcer, texts } = useAnnouncer(quietKitchen('hold'))
    const report = announce('The filter is full.', { repeat: everyHours(12) })
    await seconds(60)
    expect(announcer.postpone(undefined, '1')).toBe(1)
    await seconds(599)
    expect(texts()).toEqual([])
    await seconds(10)
    announcer.acknowledge()
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: true })
  })

  it.each(['drop', 'hold'] as const)(
    'with *%s*: leave one alone that repeats after their end',
    async (action) => {
      vi.setSystemTime(new Date('2026-11-22T21:00:00'))
      const { announce, announcer, kitchen, texts } = useAnnouncer(quietKitchen(action))
      const report = announce('Change the filter.', { repeat: everyHours(12) })
      await seconds(2 * 3600)
      announce('Fire.', { priority: 'alarm' })
      await seconds(11 * 3600)
      expect(texts()).toEqual(['Change the filter.', 'Fire.', 'Change the filter.'])
      expect(kitchen.played[2]!.startedAt - kitchen.played[0]!.startedAt).toBe(12 * 3_600_000)
      announcer.acknowledge()
      expect(await report).toMatchObject({ status: 'said', times: 2, acknowledged: true })
    },
  )

  it.each(['drop', 'hold'] as const)(
    'with *%s*: leave one alone that is postponed beyond their end',
    async (action) => {
      vi.setSystemTime(new Date('2026-11-22T23:00:00'))
      const { announce, texts } = useAnnouncer(quietKitchen(action))
      const report = announce('The washing is done.', { againAt: Date.now() + 10 * 3_600_000 })
      await seconds(10 * 3600 - 1)
      expect(texts()).toEqual([])
      await seconds(10)
      expect(await report).toEqual(said)
    },
  )

  it('with *drop*: drop one that repeats in them', async () => {
    vi.setSystemTime(new Date('2026-11-22T21:59:00'))
    const { announce, texts } = useAnnouncer(quietKitchen('drop'))
    const report = announce('Change the filter.', { repeat: everyHours(1) })
    await seconds(3601)
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: false })
    expect(texts()).toEqual(['Change the filter.'])
  })

  it('apply to an announcement that waits when they begin', async () => {
    vi.setSystemTime(new Date('2026-11-22T21:59:59'))
    const { announce } = useAnnouncer(quietKitchen('drop'))
    const plays = announce('One.')
    const waits = announce('Two.')
    await seconds(4)
    expect(await Promise.all([plays, waits])).toEqual([said, notSaid('quiet hours')])
  })
})
