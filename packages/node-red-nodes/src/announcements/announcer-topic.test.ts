import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  notSaid,
  said,
  seconds,
  textsOn,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'

useFakeClock()

describe('the topic of an announcement', () => {
  it('lets a newer one replace one that waits, in its place', async () => {
    const { announce, texts } = useAnnouncer()
    announce('Plays.')
    const old = announce('20 degrees.', { topic: 'weather' })
    announce('Something else.')
    const news = announce('21 degrees.', { topic: 'weather' })
    expect(await old).toEqual(notSaid('replaced'))
    await seconds(10)
    expect(await news).toEqual(said)
    expect(texts()).toEqual(['Plays.', '21 degrees.', 'Something else.'])
  })

  it('does not replace an announcement that plays', async () => {
    const { announce, texts } = useAnnouncer()
    announce('20 degrees.', { topic: 'weather' })
    announce('21 degrees.', { topic: 'weather' })
    await seconds(10)
    expect(texts()).toEqual(['20 degrees.', '21 degrees.'])
  })

  it('replaces only where the newer one is said, too', async () => {
    const { announce, kitchen } = useAnnouncer()
    const bedroom = createFakeSpeaker('bedroom')
    announce('Plays.')
    const both = announce('20 degrees.', { topic: 'weather', speakers: [kitchen, bedroom] })
    announce('21 degrees.', { topic: 'weather' })
    await seconds(10)
    expect(await both).toEqual(said)
  })

  it('keeps the same text from being said twice within 10 seconds', async () => {
    const { announce, texts } = useAnnouncer()
    const ring = () => announce('The doorbell.', { topic: 'door' })
    ring()
    await seconds(5)
    expect(await ring()).toEqual(notSaid('repeated'))
    announce('Another text.', { topic: 'door' })
    await seconds(5)
    ring()
    await seconds(10)
    expect(texts()).toEqual(['The doorbell.', 'Another text.', 'The doorbell.'])
  })

  it('allows the same text without a topic, elsewhere, or if it was not said after all', async () => {
    const { announce, texts } = useAnnouncer()
    const bedroom = createFakeSpeaker('bedroom')
    const stop = new AbortController()
    announce('No topic.')
    announce('No topic.')
    announce('Dinner.', { topic: 'dinner', signal: stop.signal })
    stop.abort()
    announce('Dinner.', { topic: 'dinner' })
    announce('Dinner.', { topic: 'dinner', speakers: [bedroom] })
    await seconds(10)
    expect(texts()).toEqual(['No topic.', 'No topic.', 'Dinner.'])
    expect(textsOn(bedroom)).toEqual(['Dinner.'])
  })
})
