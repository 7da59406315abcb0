import {
  notSaid,
  said,
  seconds,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { casesToRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it } from 'vitest'

useFakeClock()

describe('the parts of a sequence', () => {
  it('are said whole and in order, however many wait, for however long', async () => {
    const { announce, texts } = useAnnouncer()
    const sentences = Array.from({ length: 200 }, (_, index) => `Sentence ${index}.`)
    const reports = sentences.map((text) => announce(text, { sequenceId: 'answer', topic: 'bot' }))
    await seconds(401)
    expect(await Promise.all(reports)).toEqual(sentences.map(() => said))
    expect(texts()).toEqual(sentences)
  })

  it('are said again in their order when one is interrupted', async () => {
    const { announce, texts } = useAnnouncer()
    for (const text of ['One.', 'Two.', 'Three.']) announce(text, { sequenceId: 'answer' })
    await seconds(3)
    announce('The door.', { priority: 'urgent' })
    await seconds(20)
    expect(texts()).toEqual(['One.', 'Two....', 'The door.', 'Two.', 'Three.'])
  })

  it('may be the same text', async () => {
    const { announce } = useAnnouncer()
    const part = { sequenceId: 'answer', topic: 'bot' }
    const reports = [announce('Yes.', part), announce('Yes.', part)]
    await seconds(5)
    expect(await Promise.all(reports)).toEqual([said, said])
  })

  it('do not keep other announcements from being said', async () => {
    const { announce, texts } = useAnnouncer()
    for (const text of ['One.', 'Two.', 'Three.']) announce(text, { sequenceId: 'answer' })
    announce('The post.')
    await seconds(10)
    expect(texts()).toEqual(['One.', 'Two.', 'Three.', 'The post.'])
  })

  it.each(
    casesToRun(
      [
        { kind: 'long', text: 'Word. '.repeat(16_000), fitting: 340 },
        { kind: 'many short', text: 'Word.', fitting: 4000 },
      ],
      1,
    ),
  )(
    'leave out their end, not their middle, when $kind ones take too much memory',
    async ({ text, fitting }) => {
      const { announce } = useAnnouncer()
      const part = { sequenceId: 'answer', seconds: 0.01 }
      const reports = Array.from({ length: fitting + 100 }, () => announce(text, part))
      expect(await reports.at(-1)).toEqual(notSaid('too many waiting'))
      await seconds(60)
      const statuses = (await Promise.all(reports)).map(({ status }) => status)
      expect(statuses.lastIndexOf('said')).toBeLessThan(statuses.indexOf('not said'))
      expect(statuses.indexOf('not said')).toBeGreaterThan(fitting)
      // Seconds of work, of which a busy machine makes half a minute.
    },
    90_000,
  )
})
